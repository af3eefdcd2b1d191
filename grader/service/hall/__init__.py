"""The lecture hall: live exercises by code, on phones and on the projector."""
