package dev.fairlead.adapter.zfs.store.create;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.store.snapshot.TakenSource;
import dev.fairlead.adapter.zfs.store.volume.BirthProperties;
import dev.fairlead.adapter.zfs.store.volume.BirthSources;
import dev.fairlead.adapter.zfs.store.volume.NativeProperties;
import dev.fairlead.adapter.zfs.store.volume.RootPermissions;
import dev.fairlead.adapter.zfs.store.volume.ShareAtBirth;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides the steps that make the dataset of a volume. */
final class BirthPlan {
    private final ZfsConnection connection;
    private final DatasetLayout layout;
    private final BirthSources sources;
    private final BirthProperties properties;

    BirthPlan(ZfsConnection connection) {
        this.connection = connection;
        this.layout = connection.layout();
        this.sources = new BirthSources(layout);
        this.properties = new BirthProperties(connection);
    }

    BirthSteps of(Birth birth, DatasetName name) {
        Optional<SnapshotName> source = sources.of(birth);
        boolean block = birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE;
        boolean copies = source.isPresent() && BirthSources.isCopied(birth, source.get(), name);
        Map<String, String> all = source.isPresent() ? properties.cloned(birth) : properties.created(birth);
        NativeProperties natives = copies ? NativeProperties.of(all) : NativeProperties.NONE;
        Steps rest = new Steps().and(natives.set(zfs(), name));
        if (copies) {
            rest.remove(
                    zfs().destroy(received(birth, name), false),
                    zfs().exists(received(birth, name).toString()));
        }
        if (block && source.isPresent()) {
            // Never smaller than its source, whose size the plan has taken into account.
            String size = Long.toString(birth.capacity().bytes());
            rest.and(new NativeProperties(Map.of("volsize", size)).set(zfs(), name));
            natives = natives.and("volsize", size);
        }
        if (!block) {
            List<List<String>> root = new RootPermissions(
                            connection.settings().permissions(),
                            connection.programs().asRoot())
                    .commands();
            if (!root.isEmpty()) {
                rest.remember(zfs().value(name.value(), "mountpoint")).thenAll(root);
            }
        }
        Optional<SnapshotName> helper = sources.helper(birth);
        if (copies && helper.isPresent()) {
            rest.remove(
                    zfs().destroy(helper.get(), true), zfs().exists(helper.get().toString()));
        }
        Map<String, String> done = done(all);
        ShareAtBirth share = new ShareAtBirth(connection, birth);
        Steps reading = share.look(name, all).then(zfs().get(name.value(), asked(share, natives)));
        boolean atOnce = rest.size() == 0;
        all.putAll(atOnce ? done : Map.of(OwnProperties.STATE, OwnProperties.MAKING));
        Steps dataset = new Steps();
        if (copies) {
            dataset.pipe(zfs().send(source.get()), zfs().receive(received(birth, name), true, all));
        } else if (source.isPresent()) {
            dataset.then(zfs().cloneOf(source.get(), name, all));
        } else {
            dataset.then(block ? zfs().createVolume(name, birth.capacity(), all) : zfs().createFilesystem(name, all));
        }
        Steps finishing = new Steps().and(rest);
        if (!atOnce) {
            finishing.then(zfs().set(name.value(), done));
        }
        return new BirthSteps(
                source,
                helper.map(it -> new TakenSource(connection.host(), it)),
                dataset,
                rest,
                finishing.and(reading),
                reading,
                copies,
                all,
                natives,
                Stream.concat(asked(share, natives).stream(), share.looked().stream())
                        .toList());
    }

    private SnapshotName received(Birth birth, DatasetName name) {
        return layout.originFor(name, birth.id());
    }

    /** Returns the properties to ask for, so that a volume can be read and compared. */
    private static List<String> asked(ShareAtBirth share, NativeProperties natives) {
        return Stream.of(VolumeProperties.ASKED, share.asked(), natives.asked())
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    /**
     * Returns the marks of a complete volume. democratic-csi takes its own mark for the sign that everything is done,
     * so it is left out while the share context is unknown, and set by whoever notes the context.
     */
    static Map<String, String> done(Map<String, String> properties) {
        Map<String, String> marks = new LinkedHashMap<>();
        if (properties.containsKey(PeerProperties.SHARE_CONTEXT)) {
            marks.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        }
        marks.put(OwnProperties.STATE, OwnProperties.WHOLE);
        return marks;
    }

    private ZfsCommands zfs() {
        return connection.host().zfs();
    }
}
