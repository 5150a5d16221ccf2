"""stopped.py BYTES SIGNAL OUTPUT PROGRAM ARGUMENTS: runs the program until OUTPUT.part is so long, when it gets the signal (KILL, INT, TERM).

Prints its exit status, 128 + N after signal N. What the program says goes to the files out and err.
"""

import os
import signal
import subprocess
import sys
import time

journal_bytes, journal = int(sys.argv[1]), sys.argv[3] + ".part"
with open("out", "wb") as out, open("err", "wb") as err:
    # it has what others leave of the processor, so that it is looked at in time
    process = subprocess.Popen(sys.argv[4:], stdout=out, stderr=err, preexec_fn=lambda: os.nice(19))
    while process.poll() is None:
        try:
            if os.stat(journal).st_size >= journal_bytes:
                process.send_signal(getattr(signal, "SIG" + sys.argv[2]))
                break
        except FileNotFoundError:
            pass
        time.sleep(0.0005)
    status = process.wait()
print(status if status >= 0 else 128 - status)
