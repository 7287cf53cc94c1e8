package dev.fairlead.bootstrap.driver;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.FreenasHybridModule;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.hybrid.BoxWay;
import dev.fairlead.adapter.freenas.hybrid.OneBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.simulator.share.SpareGroups;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestNodes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A box, and controllers of one hybrid type over it that come and go. They share the session with the API and the way
 * to the shell, as a process does not, so that many of them can live one after the other.
 */
final class HybridWorld implements CrashFixture<OneConnectionFixture>, AutoCloseable {
    /** The fields that tell whether a row is as another, by table; numbers differ from run to run. */
    private static final Map<String, List<String>> TOLD = Map.ofEntries(
            Map.entry("nfs_share", List.of("path", "paths", "hosts", "networks", "enabled", "comment")),
            Map.entry("smb_share", List.of("path", "name", "enabled", "hostsallow", "options")),
            Map.entry("iscsi_target", List.of("name")),
            Map.entry("iscsi_extent", List.of("name", "disk", "enabled")),
            Map.entry("iscsi_targetextent", List.of("lunid")),
            Map.entry("iscsi_initiator", List.of("initiators", "comment")),
            Map.entry("nvmet_subsys", List.of("name", "allow_any_host")),
            Map.entry("nvmet_namespace", List.of("device_path", "enabled", "nsid")),
            Map.entry("nvmet_host", List.of("hostnqn")),
            Map.entry("nvmet_host_subsys", List.of()),
            Map.entry("nvmet_port_subsys", List.of()));

    private static final Set<String> NODES = IntStream.rangeClosed(1, 3)
            .mapToObj(number -> TestNodes.node(number).iqn().orElseThrow())
            .collect(Collectors.toSet());
    private static final Set<String> PARENTS = Set.of("tank", "tank/k8s", "tank/k8s/v", "tank/k8s/s");

    private final HybridBox box;
    private final String file;
    private final TruenasConnections connections =
            new TruenasConnections(task -> Thread.ofPlatform().daemon().unstarted(task));
    private final OneBox boxes = new OneBox(InstantSource.system());
    private final OneConnectionFixture holder;

    HybridWorld(HybridBox box, String protocol, boolean closed) {
        this.box = box;
        this.file = closed
                ? box.hybrid(protocol).replace("fairlead: {", "fairlead: {publish: nodes, ")
                        + "csi: {access_modes: [SINGLE_NODE_WRITER, MULTI_NODE_MULTI_WRITER]}\n"
                : box.hybrid(protocol);
        this.holder = open();
        var _ = holder.create("pvc-0"); // SSH and API are compared by the first change, and once for all controllers
        reset();
    }

    @Override
    public void reset() {
        JsonObject all = box.simulator().dump();
        for (String table : new TreeSet<>(all.keySet())) {
            for (String key : all.getAsJsonObject(table).keySet()) {
                boolean volume = Set.of("dataset", "snapshot").contains(table) && !PARENTS.contains(key);
                if (volume || TOLD.containsKey(table)) {
                    box.simulator().tamper(table, key, _ -> new JsonObject());
                }
            }
        }
    }

    @Override
    public OneConnectionFixture open() {
        CommandRunnerFactory runner = (_, _) -> new BoxRunner(box.simulator().programs());
        var hosts = new StorageHosts(Map.of("ssh", runner, "local", runner));
        var zfs = new ZfsConnections(hosts);
        LateCalls pending = settled();
        var turns = new HostTurns();
        BoxWay way = FreenasHybridModule.way(connections, hosts, boxes);
        Map<String, StoreFactory> stores =
                Map.of("zfs-filesystem", ZfsStoreModule.filesystems(zfs), "zfs-volume", ZfsStoreModule.volumes(zfs));
        Map<String, ExporterFactory> exporters = Map.of(
                "truenas-nfs-with-ssh", FreenasHybridModule.nfsWithSsh(way, pending),
                "truenas-smb-with-ssh", FreenasHybridModule.smbWithSsh(way, pending, turns),
                "truenas-iscsi-with-ssh", FreenasHybridModule.iscsiWithSsh(way, turns),
                "truenas-nvmeof-with-ssh", FreenasHybridModule.nvmeofWithSsh(way, pending, turns));
        return new OneConnectionFixture(HybridBox.backend(file, stores, exporters));
    }

    /** What a process before this one may have sent has come by now. */
    static LateCalls settled() {
        var now = new AtomicReference<>(Instant.now());
        var pending = new LateCalls(now::get);
        var _ = pending.mayChange(new LateCalls.ChangeTarget("any", "anything"));
        now.set(now.get().plus(Duration.ofMinutes(4)));
        return pending;
    }

    @Override
    public void close(OneConnectionFixture fixture) {
        fixture.close();
    }

    @Override
    public void bury(OneConnectionFixture fixture) {
        fixture.close(); // which does nothing to the box
    }

    @Override
    public String dump() {
        var lines = new TreeSet<String>();
        JsonObject all = box.simulator().dump();
        for (String table : List.of("dataset", "snapshot")) {
            all.getAsJsonObject(table).asMap().forEach((name, row) -> {
                if (!PARENTS.contains(name)) {
                    lines.add(name + " " + told(row.getAsJsonObject()));
                }
            });
        }
        TOLD.forEach((table, fields) -> {
            JsonElement rows = all.get(table);
            if (rows != null) {
                int[] count = {0};
                Stream<String> shown = rows.getAsJsonObject().asMap().entrySet().stream()
                        .filter(row -> !table.equals("iscsi_initiator")
                                || !SpareGroups.isOurs(row.getValue().getAsJsonObject())
                                || isNamed(all, row.getKey()))
                        .map(Map.Entry::getValue)
                        .map(row -> fields.stream()
                                .map(field ->
                                        field + "=" + row.getAsJsonObject().get(field))
                                .toList()
                                .toString())
                        .sorted();
                shown.forEach(line -> lines.add(table + " " + line + " " + count[0]++));
            }
        });
        lines.addAll(box.simulator().lateAccess(NODES));
        return String.join("\n", lines);
    }

    /**
     * Says whether a target names a group of initiators. One that a late call may still give stays beside it, and the
     * box says whether that matters (ADR 44).
     */
    private static boolean isNamed(JsonObject all, String group) {
        return all.getAsJsonObject("iscsi_target").asMap().values().stream()
                .flatMap(target -> target.getAsJsonObject().getAsJsonArray("groups").asList().stream())
                .map(each -> each.getAsJsonObject().get("initiator"))
                .anyMatch(number ->
                        number.isJsonPrimitive() && number.getAsString().equals(group));
    }

    private static String told(JsonObject row) {
        JsonObject user = row.getAsJsonObject("user").deepCopy();
        user.keySet().stream()
                .filter(key -> key.startsWith("democratic-csi:freenas_") && key.endsWith("_id"))
                .toList()
                .forEach(key -> user.addProperty(key, "a number"));
        return row.get("type") + " " + row.get("origin") + " " + row.get("holds") + " " + row.get("perm") + " "
                + new java.util.TreeMap<>(row.getAsJsonObject("props").asMap()) + " "
                + new java.util.TreeMap<>(user.asMap());
    }

    @Override
    public void close() {
        holder.close();
    }
}
