"""The lecture hall: live exercises."""
