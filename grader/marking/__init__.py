"""Marking: one answer under one convention (`mark`), under every convention (`grader`), and which mistake explains it
(`diagnose`); what comes out is a `report`.
"""
