"""
Compares what the cluster says with what is there: claims, PersistentVolumes, the folders on disk, and each node's mounts.

It knows handles and folders from the documents (docs/drivers/local-hostpath.md) and shares no code with Fairlead, so that
the two cannot be wrong together. Every difference is a line; none at all is what a cluster at rest has to show.
"""
import collections
import hashlib
import re

POD_MOUNT = re.compile(r"/pods/([0-9a-f-]{36})/volumes/kubernetes\.io~csi/([^/]+)/mount$")
HANDLE = re.compile(r"^v:([^/]+)/(.+)$")

Counts = collections.namedtuple("Counts", "claims volumes folders mounts files")


def audit(cluster):
    """The counts of what was compared, and the differences."""
    wrong = []
    claims = cluster.items("pvc")
    volumes = cluster.volumes()
    ours = {pv["metadata"]["name"]: pv for pv in volumes}
    _claims(claims, volumes, wrong)
    places = _folders(cluster, volumes, wrong)
    files = sum(_checksums(path, wrong) for path in places.values())
    mounts = _mounts(cluster, ours, claims, wrong)
    return Counts(len(claims), len(volumes), len(places), mounts, files), wrong


def _claims(claims, volumes, wrong):
    bound = {c["metadata"]["uid"]: c for c in claims}
    for claim in claims:
        name, phase = claim["metadata"]["name"], claim["status"].get("phase")
        if claim["metadata"].get("deletionTimestamp"):
            wrong.append(f"claim {name} is being deleted and stays")
        elif phase != "Bound":
            wrong.append(f"claim {name} is {phase}")
    for pv in volumes:
        name, ref = pv["metadata"]["name"], pv["spec"].get("claimRef") or {}
        if ref.get("uid") not in bound:
            wrong.append(f"PersistentVolume {name} is {pv['status'].get('phase')} and has no claim")


def _folders(cluster, volumes, wrong):
    """Every volume has its folder and its record, and every folder and record its volume; nothing is half made."""
    expected = collections.defaultdict(dict)
    for pv in volumes:
        handle = pv["spec"]["csi"]["volumeHandle"]
        match = HANDLE.match(handle)
        if not match or match[1] not in cluster.folders:
            wrong.append(f"handle {handle} is of no connection")
        else:
            expected[match[1]][match[2]] = pv["metadata"]["name"]
    found = {}
    for connection, base in cluster.folders.items():
        own = base / ".fairlead"
        there = {p.name for p in (base / "v").iterdir()} if (base / "v").is_dir() else set()
        records = {p.stem for p in (own / "volumes").glob("*.json")}
        for name in sorted(there - expected[connection].keys()):
            wrong.append(f"orphan: {base}/v/{name} has no PersistentVolume")
        for name in sorted(expected[connection].keys() - there):
            wrong.append(f"lost: {expected[connection][name]} has no folder {base}/v/{name}")
        for name in sorted(records - there):
            wrong.append(f"record without volume: {own}/volumes/{name}.json")
        for part in ("partial", "trash"):
            for left in sorted((own / part).glob("*")):
                wrong.append(f"left over: {left}")
        found.update({name: base / "v" / name for name in there & expected[connection].keys()})
    return found


def _checksums(folder, wrong):
    """Writers number their files from 0 and leave the sum beside each once it is synced: none may be missing or differ."""
    sums = sorted(folder.glob("*.sum"), key=lambda p: int(p.stem))
    for number, path in enumerate(sums):
        data = path.with_suffix(".data")
        if int(path.stem) != number:
            wrong.append(f"lost: {folder}/{number}.sum, while {path.name} is there")
            break
        if not data.is_file() or hashlib.sha256(data.read_bytes()).hexdigest() != path.read_text().strip():
            wrong.append(f"changed: {data} is not what was written")
    return len(sums)


def _mounts(cluster, ours, claims, wrong):
    """A node has a mount for each running pod's volume, of the right folder, and none beside."""
    volume_of = {c["metadata"]["name"]: c["spec"].get("volumeName") for c in claims}
    wanted = collections.defaultdict(set)
    for pod in cluster.items("pods"):
        node = pod["spec"].get("nodeName")
        for volume in pod["spec"].get("volumes", []):
            pv = volume_of.get((volume.get("persistentVolumeClaim") or {}).get("claimName"))
            if node and pv in ours and pod["status"]["phase"] not in ("Succeeded", "Failed"):
                wanted[node].add((pod["metadata"]["uid"], pv))
    count = 0
    for node in cluster.nodes():
        found, staged = set(), set()
        for root, point in _mountinfo(cluster, node, wrong):
            match = POD_MOUNT.search(point)
            if match and match[2] in ours:
                found.add((match[1], match[2]))
                _same_folder(node, point, root, ours[match[2]], wrong)
            elif match and match[2].startswith("pvc-"):
                wrong.append(f"leaked mount on {node}: {point}")
            elif f"/plugins/kubernetes.io/csi/{cluster.driver}/" in point:
                staged.add(point.split("/")[-2])
        count += len(found) + len(staged)
        for uid, pv in sorted(found - wanted[node]):
            wrong.append(f"leaked mount on {node}: {pv} of the pod {uid}, which is not there")
        for uid, pv in sorted(wanted[node] - found):
            wrong.append(f"no mount on {node}: {pv} of the pod {uid}")
        in_use = {hashlib.sha256(ours[pv]["spec"]["csi"]["volumeHandle"].encode()).hexdigest() for _, pv in wanted[node]}
        for left in sorted(staged - in_use):
            wrong.append(f"leaked staging mount on {node}: {left}")
    return count


def _same_folder(node, point, root, pv, wrong):
    name = HANDLE.match(pv["spec"]["csi"]["volumeHandle"])[2]
    if not root.endswith(f"/v/{name}"):
        wrong.append(f"wrong folder on {node}: {point} shows {root}, which is not volume {name}")


def _mountinfo(cluster, node, wrong):
    """Pairs of the folder within its file system and the mount point (proc(5), /proc/pid/mountinfo)."""
    done = cluster.enter(node, "cat", "/proc/1/mountinfo")
    if done.returncode != 0:
        wrong.append(f"{node} does not answer: {done.stderr.strip()[-200:]}")
        return []
    return [(fields[3], fields[4]) for fields in (line.split(" ") for line in done.stdout.splitlines())]
