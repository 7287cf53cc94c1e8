"""Just enough of an API server for `helm install --dry-run=server`: it has the objects it was given and keeps none."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

GROUPS = {
    "v1": {"namespaces": ("Namespace", False), "secrets": ("Secret", True), "configmaps": ("ConfigMap", True),
           "serviceaccounts": ("ServiceAccount", True), "services": ("Service", True)},
    "apps/v1": {"deployments": ("Deployment", True), "daemonsets": ("DaemonSet", True)},
    "storage.k8s.io/v1": {"csidrivers": ("CSIDriver", False), "storageclasses": ("StorageClass", False)},
    "rbac.authorization.k8s.io/v1": {
        "roles": ("Role", True), "rolebindings": ("RoleBinding", True), "clusterroles": ("ClusterRole", False),
        "clusterrolebindings": ("ClusterRoleBinding", False)},
    "policy/v1": {"poddisruptionbudgets": ("PodDisruptionBudget", True)},
    "networking.k8s.io/v1": {"networkpolicies": ("NetworkPolicy", True)},
    "monitoring.coreos.com/v1": {"servicemonitors": ("ServiceMonitor", True)},
    "security.openshift.io/v1": {"securitycontextconstraints": ("SecurityContextConstraints", False)},
}
OPERATORS = {
    "piraeus.io/v1": {"linstorclusters": ("LinstorCluster", False)},
    "piraeus.linbit.com/v1": {"linstorcontrollers": ("LinstorController", True)},
    "linstor.linbit.com/v1": {"linstorcontrollers": ("LinstorController", True)},
}
SNAPSHOTS = {"snapshot.storage.k8s.io/v1": {"volumesnapshotclasses": ("VolumeSnapshotClass", False)}}


class Pretended:
    """As a context: gives the text of a kubeconfig."""

    def __init__(self, objects, snapshots):
        groups = GROUPS | (SNAPSHOTS if snapshots else {})
        groups |= {group: kinds for group, kinds in OPERATORS.items() if any(o["apiVersion"] == group for o in objects)}
        there = list(objects)

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):  # noqa: N802 - the library's name
                code, body = answer(self.path.split("?")[0].strip("/").split("/"), there, groups)
                text = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_POST = do_PATCH = do_DELETE = do_PUT = do_GET

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{self.server.server_port}"}}],
            "users": [{"name": "c", "user": {}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]})

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def answer(path, there, known):
    if path == ["version"]:
        return 200, {"major": "1", "minor": "36", "gitVersion": "v1.36.3"}
    if path == ["api"]:
        return 200, {"kind": "APIVersions", "versions": ["v1"]}
    if path == ["apis"]:
        groups = [name.split("/") for name in known if "/" in name]
        return 200, {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
            {"name": g, "versions": [{"groupVersion": f"{g}/{v}", "version": v}],
             "preferredVersion": {"groupVersion": f"{g}/{v}", "version": v}} for g, v in groups]}
    group = "/".join(path[1:2 if path[0] == "api" else 3])
    rest = path[2 if path[0] == "api" else 3:]
    if group not in known:
        return missing(path)
    if not rest:
        return 200, {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group, "resources": [
            {"name": plural, "singularName": "", "kind": kind, "namespaced": spaced, "verbs": ["get", "list", "create"]}
            for plural, (kind, spaced) in known[group].items()]}
    space = None
    if rest[0] == "namespaces" and len(rest) > 2:
        space, rest = rest[1], rest[2:]
    kind = known[group].get(rest[0], ("?",))[0]
    if len(rest) == 1:
        return 200, {"kind": kind + "List", "apiVersion": group, "metadata": {}, "items": [
            o for o in there if o["apiVersion"] == group and of(o, kind, space)]}
    found = [o for o in there if of(o, kind, space) and o["metadata"]["name"] == rest[1]]
    return (200, found[0]) if found else missing(path)


def of(thing, kind, space):
    return thing["kind"] == kind and space in (None, thing["metadata"].get("namespace"))


def missing(path):
    return 404, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404,
                 "message": f"{path[-1]} not found"}
