"""The pages that people see: HTML made here, forms that work without script, modules that make them better."""
