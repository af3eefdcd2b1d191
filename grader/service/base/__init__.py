"""What everything else of the service stands on: time, ids, problems, settings, addresses, caches."""
