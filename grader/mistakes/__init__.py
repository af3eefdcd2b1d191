"""Mistakes as executable models: each one is run on a tree and says what somebody who makes it would write down."""
