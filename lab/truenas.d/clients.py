"""Uses a simulated TrueNAS by pytruenas and by curl, and prints one line of what was done; called by lab/truenas.d/clients."""
import json, os, subprocess, sys, time, urllib.parse
import pytruenas

PROFILE = sys.argv[1]
ORDER = ["24.10", "25.04", "25.10.0", "25.10", "26-beta", "26"]
RANK = ORDER.index(PROFILE)
URL, KEY, CERTIFICATE = (os.environ[name] for name in ("TRUENAS_URL", "TRUENAS_KEY", "TRUENAS_CERTIFICATE"))
MARK = {"key": "democratic-csi:managed_resource", "value": "true"}
SNAPSHOTS = "pool.snapshot" if RANK >= 2 else "zfs.snapshot"

failures, calls, namespaces, events = [], 0, set(), 0


def expect(what, holds):
    if not holds:
        failures.append(what)


def leaf(api, name):
    for part in name.split("."):
        api = getattr(api, part)
    return api


class Box:
    """Makes calls by pytruenas, counts them, and waits for jobs."""

    def __init__(self):
        self.client = pytruenas.TrueNASClient(
            URL.replace("https://", "wss://"), credentials=KEY, verify=CERTIFICATE)

    def call(self, name, *arguments, **options):
        global calls
        calls += 1
        namespaces.add(name.rpartition(".")[0])
        return leaf(self.client.api, name)(*arguments, **options)

    def refused(self, name, *arguments):
        try:
            self.call(name, *arguments)
        except pytruenas.ClientException:
            return True
        except Exception:  # what it maps an error of the box to
            return True
        return False

    def row(self, space, fields, changed, key):
        """Creates, finds, changes and reads back a row; returns its number."""
        made = self.call(space + ".create", fields)
        number = made["id"]
        found = self.call(space + ".query", [[key, "=", made[key]]])
        expect(space + ".query finds it", [row["id"] for row in found] == [number])
        if changed:
            self.call(space + ".update", number, changed)
            seen = self.call(space + ".get_instance", number)
            expect(space + ".update is read back", all(seen[name] == value for name, value in changed.items()))
        return number

    def gone(self, space, number, *options):
        self.call(space + ".delete", number, *options)
        expect(space + ".delete leaves none", self.call(space + ".query", [["id", "=", number]]) == [])


def by_rpc():
    global events
    box = Box()
    expect("login", box.call("auth.me")["pw_name"] == "root")
    methods = box.call("core.get_methods")
    subscription = box.client.api.core.get_jobs.subscribe()
    files(box)
    volumes(box)
    deadline = time.monotonic() + 5
    for event in subscription.events(timeout=2):
        events += 1
        if events >= 2 or time.monotonic() > deadline:
            break
    subscription.unsubscribe()
    expect("events of jobs", events > 0)
    box.client.close()
    wrong = pytruenas.TrueNASClient(
        URL.replace("https://", "wss://"), credentials="1-" + "a" * 64, verify=CERTIFICATE)
    try:
        wrong.api.auth.me()
        expect("a wrong key is refused", False)
    except Exception:
        pass
    wrong.close()
    return len(methods)


def files(box):
    box.call("pool.dataset.create", {"name": "tank/a", "user_properties": [MARK]})
    expect("a second dataset of a name is refused", box.refused("pool.dataset.create", {"name": "tank/a"}))
    box.call("pool.dataset.update", "tank/a", {"refquota": 1 << 30, "user_properties_update": [MARK]})
    seen = box.call("pool.dataset.query", [["id", "=", "tank/a"]], {"extra": {"retrieve_children": False}})
    expect("the quota is read back", seen[0]["refquota"]["parsed"] == 1 << 30)
    expect("the mark is read back", seen[0]["user_properties"][MARK["key"]]["value"] == "true")
    box.call("filesystem.setperm", {"path": "/mnt/tank/a", "mode": "0777"}, job=True)
    expect("the mode is read back", box.call("filesystem.stat", "/mnt/tank/a")["mode"] & 0o777 == 0o777)
    number = box.row("sharing.nfs", {"path": "/mnt/tank/a", "enabled": False}, {"comment": "c"}, "path")
    box.gone("sharing.nfs", number)
    number = box.row("sharing.smb", {"path": "/mnt/tank/a", "name": "a"}, {"comment": "c"}, "name")
    box.gone("sharing.smb", number)
    snapshot = box.call(SNAPSHOTS + ".create", {"dataset": "tank/a", "name": "s", "properties": {MARK["key"]: "true"}})
    expect("the snapshot has its name", snapshot["id"] == "tank/a@s")
    box.call(SNAPSHOTS + ".clone", {"snapshot": "tank/a@s", "dataset_dst": "tank/c"})
    if RANK >= 2:
        box.call("pool.dataset.rename", "tank/c", {"new_name": "tank/d", "force": True})
        expect("a renamed dataset is found", len(box.call("pool.dataset.query", [["id", "=", "tank/d"]])) == 1)
        box.call("pool.dataset.delete", "tank/d")
    else:
        box.call("pool.dataset.delete", "tank/c")
    if RANK >= 4:
        found = box.call("zfs.resource.snapshot.query", {"paths": ["tank/a@s"], "get_user_properties": True})
        expect("26 shows the marks of snapshots", found[0]["user_properties"].get(MARK["key"]) == "true")
    box.call("replication.run_onetime", {
        "direction": "PUSH", "transport": "LOCAL", "source_datasets": ["tank/a"], "target_dataset": "tank/r",
        "recursive": False, "retention_policy": "NONE", "name_regex": "^s$", "readonly": "IGNORE"}, job=True)
    box.call(SNAPSHOTS + ".delete", "tank/r@s")
    box.call("pool.dataset.delete", "tank/r")
    box.call(SNAPSHOTS + ".delete", "tank/a@s", {"defer": True})
    expect("no snapshot is left", box.call(SNAPSHOTS + ".query", [["dataset", "=", "tank/a"]]) == [])
    box.call("pool.dataset.delete", "tank/a")
    expect("no dataset is left", box.call("pool.dataset.query", [["id", "=", "tank/a"]]) == [])
    expect("a second deletion is refused", box.refused("pool.dataset.delete", "tank/a"))


def volumes(box):
    box.call("pool.dataset.create", {"name": "tank/z", "type": "VOLUME", "volsize": 1 << 30, "volblocksize": "16K"})
    box.call("pool.dataset.update", "tank/z", {"volsize": 2 << 30})
    expect("iscsi has a base", box.call("iscsi.global.config")["basename"].startswith("iqn."))
    portal = box.call("iscsi.portal.query")[0]["id"]
    group = box.row("iscsi.initiator", {"initiators": ["iqn.x:1"], "comment": "g"}, {"initiators": ["iqn.x:2"]}, "comment")
    target = box.row("iscsi.target", {"name": "z", "groups": [{"portal": portal, "initiator": group}]}, {"alias": "y"}, "name")
    extent = box.row("iscsi.extent", {"name": "z", "type": "DISK", "disk": "zvol/tank/z"}, {"comment": "c"}, "name")
    link = box.row("iscsi.targetextent", {"target": target, "extent": extent, "lunid": 0}, {}, "extent")
    expect("a second target of a name is refused", box.refused("iscsi.target.create", {"name": "z", "groups": []}))
    box.gone("iscsi.targetextent", link)
    box.gone("iscsi.target", target)
    box.gone("iscsi.extent", extent)
    box.gone("iscsi.initiator", group)
    if RANK >= 2:
        port = box.call("nvmet.port.query")[0]["id"]
        expect("nvmet has a base", box.call("nvmet.global.config")["basenqn"].startswith("nqn."))
        subsystem = box.row("nvmet.subsys", {"name": "z", "allow_any_host": False}, {"qid_max": 4}, "name")
        namespace = box.row(
            "nvmet.namespace", {"subsys_id": subsystem, "device_type": "ZVOL", "device_path": "zvol/tank/z"}, {}, "device_path")
        host = box.row("nvmet.host", {"hostnqn": "nqn.2014-08.org.nvmexpress:uuid:1"}, {}, "hostnqn")
        shown = box.call("nvmet.port_subsys.create", {"port_id": port, "subsys_id": subsystem})["id"]
        let_in = box.call("nvmet.host_subsys.create", {"host_id": host, "subsys_id": subsystem})["id"]
        box.gone("nvmet.host_subsys", let_in)
        box.gone("nvmet.port_subsys", shown)
        box.gone("nvmet.namespace", namespace)
        box.gone("nvmet.subsys", subsystem, {"force": True})
        box.gone("nvmet.host", host)
    box.call("pool.dataset.delete", "tank/z")


forms = set()


def rest(form, method, path, body=None, status=200, says=""):
    """Sends a request by curl, HTTP/2 and 1.1 in turn, and returns the answer."""
    command = ["curl", "-sS", "--max-time", "30", "--cacert", CERTIFICATE, "-X", method, "-w", "\n%{http_code}",
               "--http2" if len(forms) % 2 else "--http1.1",
               "-H", "Authorization: Bearer " + KEY, "-H", "Accept: application/json", "-H", "Content-Type: application/json",
               "-H", "User-Agent: democratic-csi-driver"]
    if body is not None:
        command += ["--data-binary", json.dumps(body)]
    text, _, code = subprocess.run(command + [URL + "/api/v2.0" + path], stdout=subprocess.PIPE, text=True).stdout.rpartition("\n")
    expect(f"REST: {form}: {code} {text[:200]!r} (expected: {status} {says})", code == str(status) and says in text)
    forms.add(form)
    try:
        return json.loads(text)
    except ValueError:
        return None


def wait(job):
    for _ in range(100):
        found = rest("JobWait", "GET", f"/core/get_jobs?id={job}")
        if found and found[0]["state"] not in ("WAITING", "RUNNING"):
            return found[0]
        time.sleep(0.05)
    return {"state": "none"}


def by_rest():
    quoted = lambda name: urllib.parse.quote(name, safe="")
    a, snap = "/pool/dataset/id/" + quoted("tank/a"), "/" + SNAPSHOTS.replace(".", "/")
    one = snap + "/id/" + quoted("tank/a@s")
    rest("version", "GET", "/system/version/", says="TrueNAS")
    rest("DatasetCreate", "POST", "/pool/dataset", {"name": "tank/a", "create_ancestors": True, "user_properties": [MARK]})
    rest("DatasetCreate again", "POST", "/pool/dataset", {"name": "tank/a"}, 422, "already exists")
    rest("DatasetGet", "GET", a + "?extra.retrieve_children=false&extra.properties=null", says="democratic-csi:managed_resource")
    rest("DatasetGet of none", "GET", "/pool/dataset/id/" + quoted("tank/none"), status=404)
    rest("DatasetSet", "PUT", a, {"refquota": 1 << 30, "user_properties_update": [{"key": "a:b", "value": "c"}]}, says="a:b")
    inherited = rest("DatasetInherit", "PUT", a, {"user_properties_update": [{"key": "a:b", "remove": True}], "compression": "INHERIT"})
    expect("REST: the property is gone", "a:b" not in (inherited or {}).get("user_properties", {"a:b": ""}))
    expect("REST: setperm", wait(rest("setperm", "POST", "/filesystem/setperm", {"path": "/mnt/tank/a", "mode": "0777"}))["state"] == "SUCCESS")
    expect("REST: chown", wait(rest("chown", "POST", "/filesystem/chown", {"path": "/mnt/tank/a", "uid": 0, "gid": 0}))["state"] == "SUCCESS")
    rest("SnapshotCreate", "POST", snap, {"dataset": "tank/a", "name": "s", "properties": {"a:b": "c"}}, says="tank/a@s")
    rest("SnapshotCreate again", "POST", snap, {"dataset": "tank/a", "name": "s"}, 422, "already exists")
    rest("SnapshotGet", "GET", one, says="tank/a@s")
    rest("SnapshotSet", "PUT", one, {"user_properties_update": [{"key": "a:b", "value": "d"}]})
    rest("Clone", "POST", snap + "/clone", {"snapshot": "tank/a@s", "dataset_dst": "tank/c", "dataset_properties": {"a:b": "c"}}, says="true")
    rest("Clone again", "POST", snap + "/clone", {"snapshot": "tank/a@s", "dataset_dst": "tank/c"}, 422, "already exists")
    job = rest("Replicate", "POST", "/replication/run_onetime", {
        "direction": "PUSH", "transport": "LOCAL", "source_datasets": ["tank/a"], "target_dataset": "tank/r", "recursive": False,
        "retention_policy": "NONE", "name_regex": "^s$", "readonly": "IGNORE", "properties": False, "only_from_scratch": True})
    expect("REST: a job's number", isinstance(job, int))
    expect("REST: the copy succeeds", wait(job)["state"] == "SUCCESS")
    for name in ("tank/c", "tank/r"):
        rest("DatasetDelete", "DELETE", "/pool/dataset/id/" + quoted(name), {"recursive": True, "force": True}, says="true")
    rest("SnapshotDelete", "DELETE", one, {"defer": True}, says="true")
    rest("SnapshotDelete again", "DELETE", one, {"defer": True}, 422, "not found")
    exports(quoted)
    rest("DatasetDelete", "DELETE", a, {"recursive": True, "force": True}, says="true")
    rest("DatasetDelete again", "DELETE", a, {"recursive": True, "force": True}, 422, "does not exist")
    return len(forms)


def exports(quoted):
    rest("iSCSI's base", "GET", "/iscsi/global", says="basename")
    rest("DatasetCreate of a volume", "POST", "/pool/dataset", {"name": "tank/z", "type": "VOLUME", "volsize": 1 << 30, "sparse": True})
    kinds = [("/sharing/nfs", {"path": "/mnt/tank/a", "ro": False, "security": []}),
             ("/sharing/smb", {"path": "/mnt/tank/a", "name": "a"}),
             ("/iscsi/target", {"name": "z", "alias": None, "mode": "ISCSI", "groups": []}),
             ("/iscsi/extent", {"name": "z", "type": "DISK", "disk": "zvol/tank/z", "insecure_tpc": True, "rpm": "SSD", "ro": False})]
    made = {}
    for path, fields in kinds:
        made[path] = (rest("create " + path, "POST", path, fields) or {}).get("id")
    link = rest("create /iscsi/targetextent", "POST", "/iscsi/targetextent",
                {"target": made["/iscsi/target"], "extent": made["/iscsi/extent"], "lunid": 0}) or {}
    made["/iscsi/targetextent"] = link.get("id")
    if RANK >= 2:
        rest("delete /iscsi/extent first", "DELETE", f"/iscsi/extent/id/{made.pop('/iscsi/extent')}", {"remove": False, "force": True})
        made.pop("/iscsi/targetextent")
        subsystem = (rest("create /nvmet/subsys", "POST", "/nvmet/subsys", {"name": "z", "allow_any_host": True}) or {}).get("id")
        namespace = (rest("create /nvmet/namespace", "POST", "/nvmet/namespace",
                          {"subsys_id": subsystem, "device_type": "ZVOL", "device_path": "zvol/tank/z"}) or {}).get("id")
        rest("delete /nvmet/namespace", "DELETE", f"/nvmet/namespace/id/{namespace}")
        rest("delete /nvmet/subsys", "DELETE", f"/nvmet/subsys/id/{subsystem}", {"force": True})
    for path, number in list(made.items())[::-1]:
        page = rest("findResourceByProperties " + path, "GET", f"{path}?limit=100&offset=0")
        expect("REST: it is found in " + path, number in [row["id"] for row in page or []])
        expect("REST: the next page is empty", rest("its next page " + path, "GET", f"{path}?limit=100&offset=100") == [])
        rest("get " + path, "GET", f"{path}/id/{number}", says=f'"id": {number}')
        rest("delete " + path, "DELETE", f"{path}/id/{number}", says="true")
        rest("get of none " + path, "GET", f"{path}/id/{number}", status=404)
    rest("DatasetDelete of a volume", "DELETE", "/pool/dataset/id/" + quoted("tank/z"), {"recursive": True, "force": True})


def attempted(part):
    try:
        return part()
    except Exception as failure:  # of a client: that is a difference, and the other client is to have its turn
        failures.append(f"{part.__name__}: {type(failure).__name__}: {failure}")
        return 0


# curl has its turn first: a thread of pytruenas may read on from a socket that it has closed, whose number is that of curl's pipe by then.
rest_forms = attempted(by_rest) if RANK <= 3 else "-"
methods = attempted(by_rpc) if RANK >= 1 else "-"
print("%-9s %-8s %-11s %-6s %-7s %-10s %s" % (PROFILE, methods, len(namespaces) or "-", calls or "-", events or "-", rest_forms, len(failures)))
for each in failures:
    print("  FAILED " + each)
sys.exit(1 if failures else 0)
