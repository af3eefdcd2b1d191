"""Work in other processes: everything that reads, solves, draws, poses, marks or words a document.

pool        the workers, as the web process sees them
lanes       what waits, and whose turn it is
worker      a task, in the process of a worker
messages    which classes may travel between the two
problems    how work ends without a result
tasks       what a worker can be asked to do
told_codec  what a report tells, as bytes in no language

The web process names the tasks and calls none of them.
"""
