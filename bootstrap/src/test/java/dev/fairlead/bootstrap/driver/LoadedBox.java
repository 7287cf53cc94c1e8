package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.node.NodeIdentity;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.testkit.fake.TestNodes;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** Compares what a box has by its own dump with what callers were told, and lets them clear it. */
record LoadedBox(Simulator simulator, List<LoadCaller> callers) {
    private static final int NODES = 3;

    /**
     * Checks that no volume, snapshot or grant is lost, and that there is none that nobody was told of. What a call
     * that was cut has begun may be there, under its own name, until deletions that come later find it.
     */
    void verify() {
        Set<String> datasets = new TreeSet<>();
        Set<String> snapshots = new TreeSet<>();
        Set<String> sources = volumes().stream().map(LoadedVolume::from).collect(Collectors.toSet());
        for (LoadedVolume volume : volumes()) {
            if (volume.isThere()) {
                datasets.add(volume.dataset());
            }
            volume.snapshots().forEach(snapshot -> snapshots.add(volume.snapshot(snapshot)));
            volume.grouped().forEach(snapshot -> snapshots.add(volume.snapshot(snapshot)));
        }
        Set<String> begun = begun();
        assertThat(names("dataset").stream().filter(name -> !begun.contains(name)))
                .containsExactlyElementsOf(datasets);
        assertThat(names("snapshot").stream()
                        .filter(name -> !name.contains("@volume-source-for-"))
                        .toList())
                .containsExactlyElementsOf(snapshots);
        assertThat(names("snapshot").stream()
                        .filter(name -> name.contains("@volume-source-for-"))
                        .map(name -> name.replaceFirst("^tank/k8s/[^/]*(/[^@]*)@.*", "v:nas$1")))
                .as("what copies were made by")
                .allMatch(sources::contains);
        volumes().stream().filter(LoadedVolume::isThere).forEach(this::verifyAccess);
        // A subsystem of a volume that is published to nobody is reached by no port.
        Set<String> closed = volumes().stream()
                .filter(volume -> volume.nodes().isEmpty())
                .map(volume -> "nvmet_subsys " + volume.name() + " is in no nvmet_port_subsys")
                .collect(Collectors.toSet());
        assertThat(simulator.broken()).isSubsetOf(closed);
    }

    /** Returns what was begun for volumes of the callers and has not their names: a late clone, say. */
    private Set<String> begun() {
        return volumes().stream()
                .map(volume ->
                        DatasetLayout.staged(new DatasetName(volume.dataset())).value())
                .filter(names("dataset")::contains)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void verifyAccess(LoadedVolume volume) {
        Attachment attachment = volume.attachment().orElseThrow();
        Set<Integer> admitted = new TreeSet<>();
        for (int node = 1; node <= NODES; node++) {
            if (admits(attachment, TestNodes.node(node))) {
                admitted.add(node);
            }
        }
        assertThat(admitted).as(volume.name()).isEqualTo(volume.nodes());
    }

    private boolean admits(Attachment attachment, NodeIdentity node) {
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

    private List<LoadedVolume> volumes() {
        return callers.stream().flatMap(caller -> caller.volumes().stream()).toList();
    }

    private Set<String> names(String table) {
        Set<String> names = new TreeSet<>();
        simulator.dump().getAsJsonObject(table).asMap().values().forEach(row -> {
            String name = JsonTools.text(row.getAsJsonObject(), "name");
            if (name.matches("tank/k8s/[^/@]*/.*")) {
                names.add(name);
            }
        });
        return names;
    }

    /** Lets all callers delete what is theirs, at once. */
    void clear() throws Exception {
        try (var threads = Executors.newFixedThreadPool(callers.size())) {
            List<? extends Future<?>> all = callers.stream()
                    .map(caller -> threads.submit(caller::clear))
                    .toList();
            for (Future<?> each : all) {
                each.get();
            }
        }
    }
}
