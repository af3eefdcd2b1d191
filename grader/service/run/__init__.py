"""The service put together, started, administered and watched."""
