"""Trees are drawn and changed until one has everything that is required; then variants that are equally hard."""
