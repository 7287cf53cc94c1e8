package dev.fairlead.adapter.freenas.nfs;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ExporterSubject;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.http.Json;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** The contracts of the NFS exporter over a simulated box of one release. */
public abstract class NfsSubject extends ExporterSubject<SimulatedBox> {
    protected NfsSubject(Profile profile) {
        super(profile, VolumeMedium.Kind.FILESYSTEM, Function.identity());
    }

    LateCalls pending() {
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

    @Override
    protected String shuttingOut() {
        return "sharing.nfs.update";
    }

    @Override
    public int exports() {
        return box().shares().size();
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return letIn(box(), volume);
    }

    static Optional<SortedMap<String, Boolean>> letIn(SimulatedBox box, StoredVolume volume) {
        SortedMap<String, Boolean> hosts = new TreeMap<>();
        for (JsonObject share : box.effective("nfs_share")) {
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
