package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.adapter.freenas.export.ExporterSubject;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/** The contracts of exporters over the targets of a simulated box of one release. */
abstract class IscsiSubject extends ExporterSubject<IscsiFixture> {
    IscsiSubject(Profile profile) {
        this(profile, IscsiFixture::new);
    }

    IscsiSubject(Profile profile, Function<SimulatedBox, IscsiFixture> opening) {
        super(profile, VolumeMedium.Kind.BLOCK_DEVICE, opening);
    }

    @Override
    public Exporter exporter() {
        return fixture().exporter(IscsiFixture.BY_NUMBER);
    }

    @Override
    public Exporter spoiled() {
        return fixture()
                .exporter(IscsiFixture.with(
                        "targetGroups",
                        List.of(Map.of(
                                "targetGroupPortalGroup",
                                99,
                                "targetGroupAuthType",
                                "CHAP",
                                "targetGroupAuthGroup",
                                98))));
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return fixture().letIn(volume);
    }

    @Override
    protected String shuttingOut() {
        return "iscsi.target.update";
    }

    @Override
    public int exports() {
        return fixture().exports();
    }
}
