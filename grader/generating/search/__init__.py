"""The search: trees are drawn and changed until one meets every requirement, then equally hard variants of it."""
