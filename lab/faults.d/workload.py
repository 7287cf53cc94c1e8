"""Pods that come, write, read back what earlier ones wrote, and go; their claims live for one pod or for several."""
import random
import threading
import time

from cluster import ClusterError

# Checks all that is there, then goes on writing: data first, synced, then its sum under its last name.
WRITER = """
cd /data || exit 1
n=0
for s in *.sum; do
  [ -e "$s" ] || continue
  d=${s%.sum}.data
  [ "$(sha256sum <"$d" | cut -d' ' -f1)" = "$(cat "$s")" ] || { echo "changed: $d"; touch /tmp/bad; exec sleep 3600; }
  n=$((n + 1))
done
touch /tmp/good
while [ $n -lt 400 ]; do
  head -c 16384 /dev/urandom >$n.data && sync $n.data
  sha256sum <$n.data | cut -d' ' -f1 >$n.part && sync $n.part && mv $n.part $n.sum
  n=$((n + 1)); sleep 0.3
done
exec sleep 3600
"""


def claim(name, storage_class):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name},
            "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": storage_class,
                     "resources": {"requests": {"storage": "16Mi"}}}}


def pod(name, of):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"fairlead-faults": "pod"}},
            "spec": {"terminationGracePeriodSeconds": 0,
                     "tolerations": [{"key": "node.kubernetes.io/" + k, "operator": "Exists", "effect": "NoExecute"}
                                     for k in ("not-ready", "unreachable")],
                     "containers": [{"name": "writer", "image": "lab.test/busybox:1", "imagePullPolicy": "Never",
                                     "command": ["/bin/sh", "-c", WRITER],
                                     "readinessProbe": {"exec": {"command": ["test", "-e", "/tmp/good"]}, "periodSeconds": 1},
                                     "volumeMounts": [{"name": "data", "mountPath": "/data"}]}],
                     "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": of}}]}}


class Workload:
    """A bounded number of pods at a time, until so many have run."""

    def __init__(self, cluster, storage_class, total, at_once, seed):
        self.cluster = cluster
        self.storage_class = storage_class
        self.total = total
        self.at_once = at_once
        self.random = random.Random(f"workload {seed}")
        self.lock = threading.Lock()
        self.started = self.ran = self.claims = 0
        self.idle = []  # claims whose pod has gone
        self.kept = []  # pods that run to the end

    def run(self):
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(self.at_once)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _serve(self):
        while True:
            with self.lock:
                if self.started >= self.total:
                    return
                number = self.started
                self.started += 1
                again = self.idle.pop(self.random.randrange(len(self.idle))) if self.idle and self.random.random() < 0.5 else None
                if again is None:
                    self.claims += 1
                of = again or f"claim-{self.claims}"
                life, keep, drop = self.random.uniform(1, 8), number >= self.total - self.at_once, self.random.random() < 0.5
            self._life(f"pod-{number}", of, again is None, life, keep, drop)

    def _life(self, name, of, fresh, life, keep, drop):
        if fresh:
            self._insist(lambda: self.cluster.apply(claim(of, self.storage_class)))
        self._insist(lambda: self.cluster.apply(pod(name, of)))
        self._ready(name)
        time.sleep(life)
        with self.lock:
            self.ran += 1
            if keep:
                self.kept.append(name)
                return
        self._insist(lambda: self.cluster.kubectl("delete", "pod", name, "--ignore-not-found", "--timeout=300s", patience=330))
        if drop:
            self._insist(lambda: self.cluster.kubectl("delete", "pvc", of, "--ignore-not-found", "--wait=false"))
        else:
            with self.lock:
                self.idle.append(of)

    def _ready(self, name):
        """However long it takes: a pod that never runs is the audit's to report, and the run's time limit's."""
        self._insist(lambda: self.cluster.kubectl("wait", "--for=condition=Ready", f"pod/{name}", "--timeout=60s"))

    @staticmethod
    def _insist(action, patience=600):
        """Until it is done: the API server may be away, and an answer may be lost after the deed."""
        end = time.monotonic() + patience
        while True:
            try:
                return action()
            except Exception as e:  # noqa: BLE001  kubectl fails in many ways while its server is killed
                if "AlreadyExists" in str(e):
                    return None
                if time.monotonic() > end:
                    raise ClusterError(f"not within {patience} s: {e}") from e
                time.sleep(1)
