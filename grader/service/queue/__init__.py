"""What goes on when nobody waits for an answer: marking what was handed in, and bulk work in chunks.

marking    takes submissions from the store to the workers, and what they earned back
jobs       bulk work: progress, stopping, taking up again
kinds      what jobs can be asked for
regrading  one of them: everything marked again against another version
"""
