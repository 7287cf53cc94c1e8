package dev.fairlead.bootstrap.driver;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.FreenasExportModule;
import dev.fairlead.adapter.freenas.FreenasModule;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
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

    private static final Set<String> PARENTS = Set.of("tank", "tank/k8s", "tank/k8s/v", "tank/k8s/s");

    private final HybridBox box;
    private final String file;
    private final TruenasConnections connections =
            new TruenasConnections(task -> Thread.ofPlatform().daemon().unstarted(task));
    private final OneConnectionFixture holder;

    HybridWorld(HybridBox box, String protocol, boolean closed) {
        this.box = box;
        this.file = closed
                ? box.hybrid(protocol).replace("fairlead: {", "fairlead: {publish: nodes, ")
                        + "csi: {access_modes: [SINGLE_NODE_WRITER, MULTI_NODE_MULTI_WRITER]}\n"
                : box.hybrid(protocol);
        this.holder = open();
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
        Map<String, StoreFactory> stores =
                Map.of("zfs-filesystem", ZfsStoreModule.filesystems(zfs), "zfs-volume", ZfsStoreModule.volumes(zfs));
        Map<String, ExporterFactory> exporters = Map.of(
                "truenas-nfs", FreenasModule.nfs(connections, pending),
                "truenas-smb", FreenasExportModule.smb(connections, pending, turns),
                "truenas-iscsi-with-ssh", FreenasExportModule.iscsiWithSsh(connections, turns, hosts),
                "truenas-nvmeof-with-ssh", FreenasExportModule.nvmeofWithSsh(connections, pending, turns, hosts));
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
                Stream<String> shown = rows.getAsJsonObject().asMap().values().stream()
                        .map(row -> fields.stream()
                                .map(field ->
                                        field + "=" + row.getAsJsonObject().get(field))
                                .toList()
                                .toString())
                        .sorted();
                // A group of initiators that a late call may still give stays (ADR 44): one like that which is used,
                // or one that lets in a name that nobody has.
                (table.equals("iscsi_initiator")
                                ? shown.filter(line -> !line.contains(":nobody-"))
                                        .distinct()
                                : shown)
                        .forEach(line -> lines.add(table + " " + line + " " + count[0]++));
            }
        });
        return String.join("\n", lines);
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
