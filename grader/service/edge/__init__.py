"""Where requests come in: limits, deadlines, headers, logs, metrics and rates, without a database."""
