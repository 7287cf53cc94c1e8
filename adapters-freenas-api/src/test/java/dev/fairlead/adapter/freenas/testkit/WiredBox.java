package dev.fairlead.adapter.freenas.testkit;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.node.NodeIdentity;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.StateRows;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A simulated box that is reached over its wire, by a store and an exporter that are opened as in production. */
public record WiredBox(
        Simulator simulator, SharedClient<TruenasApi> administrator, VolumeStore store, Exporter exporter)
        implements AutoCloseable {
    public static final String PARENT = WiredConnection.PARENT;

    /** The user of a connection that has single roles. */
    public static final String USER = "csi";

    /** Starts a box, and opens a connection to it. */
    public static WiredBox start(Profile profile, Protocol protocol, Path folder) {
        return start(profile, protocol, folder, SimulatorSettings.standard());
    }

    /** Starts a box with its own settings, and opens a connection to it. */
    public static WiredBox start(Profile profile, Protocol protocol, Path folder, SimulatorSettings settings) {
        Simulator simulator = Simulator.start(profile, folder, settings);
        WiredConnection opened = WiredConnection.open(simulator, protocol);
        return of(simulator, protocol, opened, opened);
    }

    /** Starts a box, and opens a connection to it as a user who has these roles alone. */
    public static WiredBox startAs(Set<String> roles, Profile profile, Protocol protocol, Path folder) {
        Simulator simulator = Simulator.start(profile, folder);
        simulator.user(USER, "pass-w0rd", roles);
        WiredConnection asUser = WiredConnection.openAs(USER, simulator, protocol);
        try (WiredConnection asRoot = WiredConnection.open(simulator, protocol)) {
            return of(simulator, protocol, asRoot, asUser);
        }
    }

    private static WiredBox of(Simulator simulator, Protocol protocol, WiredConnection asRoot, WiredConnection used) {
        return new WiredBox(
                simulator,
                asRoot.connections()
                        .open(WiredConnection.scope("administrator", protocol), asRoot.file(), List.of("tank")),
                used.store(),
                used.exporter());
    }

    /** Says whether a box itself lets a node in. */
    public static boolean admits(Simulator simulator, Attachment attachment, NodeIdentity node) {
        return simulator.admission(admission -> switch (attachment) {
            case Attachment.Nfs share ->
                admission.nfs(share.share(), node.address().orElseThrow());
            case Attachment.Smb share ->
                admission.smb(share.share(), node.address().orElseThrow());
            case Attachment.Iscsi target ->
                admission.iscsi(
                        target.iqn().substring(target.iqn().indexOf(':') + 1),
                        node.iqn().orElseThrow());
            case Attachment.Nvmeof subsystem ->
                admission.nvme(subsystem.nqn(), node.nqn().orElseThrow());
            default -> throw new IllegalArgumentException(attachment.toString());
        });
    }

    /** Makes the datasets below which the volumes lie, as an administrator does. */
    public void makeParents() {
        make("tank/k8s", VolumeMedium.Kind.FILESYSTEM, Map.of());
        make(PARENT, VolumeMedium.Kind.FILESYSTEM, Map.of());
    }

    /** Makes a dataset by the API, as an administrator or another driver does. */
    public void make(String name, VolumeMedium.Kind kind, Map<String, String> user) {
        var properties = new JsonArray();
        user.forEach((key, value) -> {
            var property = new JsonObject();
            property.addProperty("key", key);
            property.addProperty("value", value);
            properties.add(property);
        });
        var fields = new JsonObject();
        fields.addProperty("name", name);
        fields.add("user_properties", properties);
        if (kind == VolumeMedium.Kind.BLOCK_DEVICE) {
            fields.addProperty("type", "VOLUME");
            fields.addProperty("volsize", 1L << 30);
        }
        administrator
                .get()
                .change(ApiCall.create(ApiCollection.DATASET, fields), name, TestWork.patient())
                .orThrow();
    }

    /** Returns the user properties of a dataset or a snapshot. */
    public Map<String, String> properties(String name) {
        return StateRows.properties(simulator.dump(), name);
    }

    /** Returns the rows of all tables that volumes, snapshots and exports leave traces in. */
    public Set<String> rows() {
        return StateRows.rows(simulator.dump());
    }

    /** Returns the notes of calls that may come late, each with its dataset. */
    public Set<String> notes() {
        return BoxNotes.of(simulator.dump());
    }

    @Override
    public void close() {
        exporter.close();
        store.close();
        administrator.close();
        simulator.close();
    }
}
