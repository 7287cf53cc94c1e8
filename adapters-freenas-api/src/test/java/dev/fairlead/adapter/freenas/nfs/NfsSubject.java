package dev.fairlead.adapter.freenas.nfs;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.store.dataset.PendingChanges;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.http.Json;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contracts of the NFS exporter over a simulated box of one release. */
abstract class NfsSubject implements AccessControlContract {
    @TempDir
    private Path folder = Path.of("/nowhere");

    private final Profile profile;
    private @Nullable SimulatedBox box;

    NfsSubject(Profile profile) {
        this.profile = profile;
    }

    @BeforeEach
    void start() {
        box = new SimulatedBox(profile, folder);
    }

    SimulatedBox box() {
        return Objects.requireNonNull(box);
    }

    PendingChanges pending() {
        return Settled.pending();
    }

    @Override
    public Exporter exporter() {
        return new FreenasNfsExporter(box().client(), settings(Map.of()), pending());
    }

    static NfsShareSettings settings(Map<String, String> accounts) {
        return new NfsShareSettings("nas.example.org", List.of(), List.of(), accounts, Optional.empty());
    }

    @Override
    public Exporter spoiled() {
        return new FreenasNfsExporter(
                box().client(), settings(Map.of("maproot_user", "nobody-of-this-name")), pending());
    }

    private VolumeStore store() {
        return FreenasFixture.store(box(), VolumeMedium.Kind.FILESYSTEM, Map.of());
    }

    @Override
    public Birth birth(String name) {
        return store().plan(TestVolumes.empty(name), TestVolumes.id(name));
    }

    /** Makes a volume whose record of nodes says nothing, so that the contract may claim any. */
    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        Map<String, String> silent = new HashMap<>(notes);
        silent.remove(Access.GRANTS);
        return store().create(birth.noting(silent), TestWork.patient()).volume();
    }

    @Override
    public void remove(StoredVolume volume) {
        store().delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
    }

    @Override
    public int exports() {
        return box().shares().size();
    }

    @Override
    public boolean hasReaders() {
        return false;
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return letIn(box(), volume);
    }

    static Optional<SortedMap<String, Boolean>> letIn(SimulatedBox box, StoredVolume volume) {
        SortedMap<String, Boolean> hosts = new TreeMap<>();
        for (JsonObject share : box.shares()) {
            boolean isOf = Json.text(share, "path")
                            .filter(volume.medium().path()::equals)
                            .isPresent()
                    || Json.texts(share, "paths").contains(volume.medium().path());
            if (isOf && Json.flag(share, "enabled")) {
                if (Json.texts(share, "hosts").isEmpty()
                        && Json.texts(share, "networks").isEmpty()) {
                    return Optional.empty();
                }
                Json.texts(share, "hosts").forEach(host -> hosts.put(host, false));
            }
        }
        return Optional.of(hosts);
    }
}
