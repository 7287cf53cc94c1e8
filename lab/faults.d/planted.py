"""What the auditor is worth: each fault that is planted has to be seen, and nothing once it is taken away."""
import contextlib
import uuid

from audit import audit


@contextlib.contextmanager
def orphan(cluster):
    folder = next(iter(cluster.folders.values())) / "v" / "planted-orphan"
    folder.mkdir()
    yield "orphan: "
    folder.rmdir()


@contextlib.contextmanager
def changed_file(cluster):
    file = next(f for base in cluster.folders.values() for f in sorted((base / "v").glob("*/0.data")))
    with open(file, "r+b") as data:
        first = data.read(1)
        data.seek(0)
        data.write(bytes([first[0] ^ 1]))
    yield "changed: "
    with open(file, "r+b") as data:
        data.write(first)


@contextlib.contextmanager
def leaked_mount(cluster):
    node = cluster.nodes()[0]
    point = f"/var/lib/kubelet/pods/{uuid.uuid4()}/volumes/kubernetes.io~csi/pvc-planted/mount"
    cluster.enter(node, "mkdir", "-p", point)
    cluster.enter(node, "mount", "-t", "tmpfs", "tmpfs", point)
    yield "leaked mount on "
    cluster.enter(node, "umount", point)
    cluster.enter(node, "rm", "-r", point.split("/volumes")[0])


def missed(cluster, say):
    """How many of them the auditor did not see; asked while volumes with files are there, and all is at rest."""
    count = 0
    for plant in (orphan, changed_file, leaked_mount):
        with plant(cluster) as words:
            seen = [line for line in audit(cluster)[1] if line.startswith(words)]
        say(f"planted: {plant.__name__.replace('_', ' ')}: " + ("; ".join(seen) or "NOT SEEN by the auditor"))
        count += not seen
    return count
