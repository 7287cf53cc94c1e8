"""What the auditor is worth: each fault that is planted has to be seen, and nothing once it is taken away."""
import contextlib
import uuid

from audit import audit


TRIES = 5


@contextlib.contextmanager
def orphan(cluster):
    folder = next(iter(cluster.folders.values())) / "v" / "planted-orphan"
    folder.mkdir()
    yield "orphan: ", folder.is_dir
    folder.rmdir()


@contextlib.contextmanager
def changed_file(cluster):
    file = next(f for base in cluster.folders.values() for f in sorted((base / "v").glob("*/0.data")))
    with open(file, "r+b") as data:
        first = data.read(1)
        data.seek(0)
        data.write(bytes([first[0] ^ 1]))
    yield "changed: ", lambda: True
    with open(file, "r+b") as data:
        data.write(first)


@contextlib.contextmanager
def leaked_mount(cluster):
    node = cluster.nodes()[0]
    point = f"/var/lib/kubelet/pods/{uuid.uuid4()}/volumes/kubernetes.io~csi/pvc-planted/mount"
    cluster.enter(node, "mkdir", "-p", point)
    cluster.enter(node, "mount", "-t", "tmpfs", "tmpfs", point)
    yield "leaked mount on ", lambda: point in cluster.enter(node, "cat", "/proc/self/mountinfo").stdout
    cluster.enter(node, "sh", "-c", f"umount {point} 2>/dev/null; rm -rf --one-file-system {point.split('/volumes')[0]}")


def missed(cluster, say):
    """How many of them the auditor did not see; asked while volumes with files are there, and all is at rest.

    kubelet takes away the folders of pods that it does not know, at times before anything is mounted there: what is not
    seen since it is not there any more is planted again.
    """
    count = 0
    for plant in (orphan, changed_file, leaked_mount):
        for _ in range(TRIES):
            with plant(cluster) as (words, is_there):
                seen = [line for line in audit(cluster)[1] if line.startswith(words)]
                stayed = is_there()
            if seen or stayed:
                break
        say(f"planted: {plant.__name__.replace('_', ' ')}: " + ("; ".join(seen) or "NOT SEEN by the auditor"))
        count += not seen
    return count
