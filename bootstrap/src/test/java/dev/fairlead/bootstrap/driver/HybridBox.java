package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.domain.topology.TopologyPrefix;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.StateRows;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.shell.SshFace;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A box that is reached by SSH and by its API, which show one state; connections to it as production makes them. */
final class HybridBox implements AutoCloseable {
    static final String PARENT = "tank/k8s/v";

    private static final Map<String, String> BLOCKS = Map.of(
            "nfs", "nfs: {shareHost: 192.0.2.1, shareMaprootUser: root, shareMaprootGroup: wheel}\n",
            "smb", "smb: {shareHost: 192.0.2.1}\n",
            "iscsi", "iscsi: {targetPortal: \"192.0.2.1:3260\"}\n",
            "nvmeof", "nvmeof: {transport: \"tcp://192.0.2.1:4420\"}\n");

    private final Simulator simulator;
    private final SshFace ssh;
    private final String ca;

    HybridBox(Profile profile, Path folder) {
        this.simulator = Simulator.start(profile, folder);
        this.ssh = simulator.openSsh(0);
        this.ca = folder.resolve("tls.pem").toString();
        for (String name : new String[] {"tank/k8s", PARENT, "tank/k8s/s"}) {
            var fields = new JsonObject();
            fields.addProperty("name", name);
            var arguments = new JsonArray();
            arguments.add(fields);
            var _ = simulator.call("pool.dataset.create", arguments);
        }
    }

    Simulator simulator() {
        return simulator;
    }

    SshFace ssh() {
        return ssh;
    }

    static boolean isBlock(String protocol) {
        return protocol.equals("iscsi") || protocol.equals("nvmeof");
    }

    /** Returns the file of a connection that keeps volumes by SSH. */
    String hybrid(String protocol) {
        return hybrid(protocol, this);
    }

    /** Returns the same with the API of another box. */
    String hybrid(String protocol, HybridBox other) {
        return other.file("freenas-" + protocol, protocol)
                        .replace("{paths: {zfs: zfs}}", "{paths: {zfs: zfs, zpool: " + zpool() + "}}")
                + "sshConnection: {host: 127.0.0.1, port: " + ssh.port() + ", username: root, password: "
                + simulator.rootPassword() + "}\n";
    }

    /** Returns the file of a connection that keeps the same volumes by the API alone. */
    String api(String protocol) {
        return file("freenas-api-" + protocol, protocol);
    }

    /** Returns where the box's program is, for a runner that does not look for it on the path. */
    String zpool() {
        return simulator.programs().resolve("zpool").toString();
    }

    private String file(String driver, String protocol) {
        String zfs = "zfs: {cli: {paths: {zfs: zfs}}, datasetParentName: " + PARENT
                + ", detachedSnapshotsDatasetParentName: tank/k8s/s"
                + (isBlock(protocol) ? "" : ", datasetEnableQuotas: true, datasetPermissionsMode: \"0777\"") + "}\n";
        return "driver: " + driver + "\n" + zfs + BLOCKS.get(protocol)
                + "httpConnection: {protocol: https, host: 127.0.0.1, port: " + simulator.port() + ", apiKey: "
                + simulator.rootKey() + "}\nfairlead: {http: {ca: \"" + ca + "\"}}\n";
    }

    /** Assembles a connection of the name {@code nas} from its file. */
    static Backend backend(String file) {
        var graph = DaggerFactoryComponent.create();
        return backend(file, graph.stores(), graph.exporters());
    }

    /** Assembles it with these factories. */
    static Backend backend(String file, Map<String, StoreFactory> stores, Map<String, ExporterFactory> exporters) {
        var problems = new Problems("nas.yaml");
        var locality = new Locality(TopologyPrefix.DEFAULT, false, Optional.empty());
        DriverTypes types = DriverTypes.of(stores, exporters, AttacherComponent.attachable());
        Backend backend = new BackendAssembler(types, stores, exporters, locality, "test", true)
                .assemble(OneConnectionFixture.NAS, file.getBytes(StandardCharsets.UTF_8), Defaults.NONE, problems)
                .orElseThrow(() -> new AssertionError(problems.all()))
                .backend();
        assertThat(problems.errors()).isEmpty();
        return backend;
    }

    /** Returns the user properties of a dataset or snapshot. */
    Map<String, String> properties(String name) {
        return StateRows.properties(simulator.dump(), name);
    }

    /** Returns the rows of all tables that volumes, snapshots and exports leave traces in. */
    Set<String> rows() {
        return StateRows.rows(simulator.dump());
    }

    @Override
    public void close() {
        ssh.close();
        simulator.close();
    }
}
