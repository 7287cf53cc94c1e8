"""What the fault runs know of the cluster: kubectl, the nodes, and where each connection's folder is on this machine."""
import json
import os
import pathlib
import subprocess

LAB = pathlib.Path(__file__).resolve().parent.parent
KUBE = str(LAB / "kube")


class Cluster:
    """One lab cluster and one release in it."""

    def __init__(self, driver, namespace, folders):
        """folders: connection -> the folder that holds its volumes, as this machine sees it."""
        self.driver = driver
        self.namespace = namespace
        self.folders = folders

    def kubectl(self, *args, text=None, patience=90):
        done = subprocess.run([KUBE, "kubectl", "-n", self.namespace, *args], input=text, text=True,
                              capture_output=True, timeout=patience)
        if done.returncode != 0:
            raise ClusterError(f"kubectl {' '.join(args[:4])}: {done.stderr.strip()[-400:]}")
        return done.stdout

    def items(self, kind, *args):
        return json.loads(self.kubectl("get", kind, "-o", "json", *args))["items"]

    def apply(self, *objects):
        self.kubectl("create", "-f", "-", text="\n---\n".join(json.dumps(o) for o in objects))

    def nodes(self):
        return sorted(n["metadata"]["name"] for n in self.items("nodes"))

    def enter(self, node, *command, patience=60):
        return subprocess.run([KUBE, "node", "enter", node, *command], text=True, capture_output=True, timeout=patience)

    def lab(self, *command, patience=240):
        done = subprocess.run([KUBE, *command], text=True, capture_output=True, timeout=patience)
        if done.returncode != 0:
            raise ClusterError(f"lab/kube {' '.join(command)}: {done.stderr.strip()[-400:]}")

    def volumes(self):
        """The driver's PersistentVolumes."""
        return [pv for pv in self.items("pv") if (pv["spec"].get("csi") or {}).get("driver") == self.driver]


class ClusterError(Exception):
    """The cluster did not do what it was asked; may pass."""


def state_folder():
    cache = os.environ.get("FAIRLEAD_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "fairlead")
    return pathlib.Path(os.environ.get("FAIRLEAD_KUBE_STATE") or os.path.join(cache, "kube", "state"))
