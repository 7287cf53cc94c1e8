package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.peer.PeerCommands;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * democratic-csi's commands, played into the pool and cut at each, and the same call repeated by us: its end is that of
 * a call of ours that nobody has cut, or what democratic-csi had finished is served as it is.
 */
class PeerCutTest {
    private static final String PVC = "tank/v/pvc-1";
    private static final long GI = 1L << 30;
    private static final Source VOLUME = new Source.Volume("v:nas/src");
    private static final Source SNAPSHOT = new Source.Snapshot("s:nas/src@snap");
    private static final Source COPY = new Source.Snapshot("s:nas/src/copy");
    private static final Map<String, String> DETACHED =
            Map.of("detachedVolumesFromVolumes", "true", "detachedVolumesFromSnapshots", "true");

    private record Call(String name, Source source, Map<String, String> parameters) {}

    private static final List<Call> CALLS = List.of(
            new Call("create", Source.NONE, Map.of()),
            new Call("clone", VOLUME, Map.of()),
            new Call("restore", SNAPSHOT, Map.of()),
            new Call("detached-clone", VOLUME, DETACHED),
            new Call("detached-restore", SNAPSHOT, DETACHED),
            new Call("restore-of-detached", COPY, Map.of()),
            new Call("detached-restore-of-detached", COPY, DETACHED));

    static Stream<Arguments> types() {
        return PeerFixtures.types().map(Arguments::of);
    }

    /** A source with content, its snapshot and its detached one, all of democratic-csi's making. */
    private static ZfsCrashFixture world(String type) {
        ZfsCrashFixture zfsCrashFixture = PeerFixtures.of(type);
        zfsCrashFixture.reset();
        play(zfsCrashFixture.pool(), PeerCommands.of(type, "source"));
        zfsCrashFixture.pool().files("tank/v/src").put("file", "precious");
        play(zfsCrashFixture.pool(), PeerCommands.of(type, "snapshot"));
        play(zfsCrashFixture.pool(), PeerCommands.of(type, "detached-snapshot"));
        return zfsCrashFixture;
    }

    private static void play(FakePool pool, List<List<String>> commands) {
        commands.forEach(pool::play);
    }

    private static VolumeView create(ZfsCrashFixture zfsCrashFixture, Call call, long bytes) {
        try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
            return oneConnectionFixture.create("pvc-1", CapacityRange.of(bytes, 0), call.source(), call.parameters());
        }
    }

    private static List<List<String>> ofRoot(List<List<String>> commands) {
        return commands.stream()
                .filter(words ->
                        words.getFirst().startsWith("ch") && words.getLast().equals("/" + PVC))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("types")
    void every_call_is_finished_from_every_command_on(String type) {
        for (Call call : CALLS) {
            ZfsCrashFixture clean = world(type);
            VolumeView expected = create(clean, call, GI);
            Map<String, String> ours = clean.pool().own(PVC);
            var names = clean.pool().names();
            List<List<String>> commands = PeerCommands.of(type, call.name());
            for (int cut = 0; cut <= commands.size(); cut++) {
                String where = type + " " + call.name() + " cut after " + cut;
                ZfsCrashFixture zfsCrashFixture = world(type);
                play(zfsCrashFixture.pool(), commands.subList(0, cut));
                boolean told = cut >= commands.size() - 1; // the context is noted, one command before the end

                VolumeView view = create(zfsCrashFixture, call, GI);

                FakePool pool = zfsCrashFixture.pool();
                assertThat(expected.context()).as(where).containsAllEntriesOf(view.context());
                assertThat(view.context())
                        .as(where)
                        .containsKeys("node_attach_driver", "provisioner_driver_instance_id");
                assertThat(view.capacity()).as(where).isEqualTo(expected.capacity());
                Map<String, String> end = pool.own(PVC);
                if (told) {
                    FakePool theirs = world(type).pool();
                    play(theirs, commands);
                    assertThat(end).as(where).isEqualTo(theirs.own(PVC));
                } else {
                    assertThat(end).as(where).isEqualTo(ours);
                }
                assertThat(pool.files(PVC)).as(where).isEqualTo(clean.pool().files(PVC));
                assertThat(withoutOrigins(pool)).as(where).isEqualTo(withoutOrigins(clean.pool()));
                assertThat(pool.names())
                        .as(where)
                        .containsAll(names.stream()
                                .filter(name -> !name.contains("volume-source-for"))
                                .toList());
                List<List<String>> modes = new ArrayList<>(commands.subList(0, cut));
                modes.addAll(pool.history());
                assertThat(ofRoot(modes)).as(where).containsAll(ofRoot(commands));
                assertThat(create(zfsCrashFixture, call, GI).context())
                        .as(where)
                        .isEqualTo(view.context());
            }
        }
    }

    /** A clone's origin stays with it, marked to go with it or not. */
    private static List<String> withoutOrigins(FakePool pool) {
        return pool.names().stream()
                .filter(name -> !name.startsWith("tank/s/src/copy@volume-source-for-volume"))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("types")
    void another_request_is_refused_and_nothing_of_it_is_touched(String type) {
        for (Call call : CALLS) {
            List<List<String>> commands = PeerCommands.of(type, call.name());
            for (int cut = 1; cut < commands.size(); cut++) {
                ZfsCrashFixture zfsCrashFixture = world(type);
                play(zfsCrashFixture.pool(), commands.subList(0, cut));
                if (!isMarked(zfsCrashFixture.pool())) {
                    continue; // nothing of this name is known to be a volume
                }
                String before = zfsCrashFixture.pool().own(PVC).toString();
                Call other = CALLS.get(call.source().equals(Source.NONE) ? 1 : 0);

                Failing.with(Failure.VolumeConflict.class, () -> create(zfsCrashFixture, other, GI));

                assertThat(zfsCrashFixture.pool().own(PVC))
                        .as(call.name() + " " + cut)
                        .hasToString(before);
            }
        }
    }

    private static boolean isMarked(FakePool pool) {
        return pool.names().contains(PVC) && pool.own(PVC).containsKey(PeerProperties.MANAGED);
    }

    @ParameterizedTest
    @MethodSource("types")
    void a_detached_snapshot_is_finished_from_every_command_on(String type) {
        List<List<String>> commands = PeerCommands.of(type, "detached-snapshot");
        for (int cut = 0; cut <= commands.size(); cut++) {
            ZfsCrashFixture zfsCrashFixture = PeerFixtures.of(type);
            zfsCrashFixture.reset();
            play(zfsCrashFixture.pool(), PeerCommands.of(type, "source"));
            zfsCrashFixture.pool().files("tank/v/src").put("file", "precious");
            play(zfsCrashFixture.pool(), commands.subList(0, cut));

            try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
                var taken = oneConnectionFixture
                        .useCases()
                        .takeSnapshot()
                        .take(
                                new CsiName("copy"),
                                "v:nas/src",
                                Map.of("detachedSnapshots", "true"),
                                TestWork.patient());
                assertThat(taken.handle()).isEqualTo("s:nas/src/copy");
            }

            assertThat(zfsCrashFixture.pool().own("tank/s/src/copy"))
                    .as("cut after " + cut)
                    .containsEntry(PeerProperties.SNAPSHOT_NAME, "copy")
                    .containsEntry(PeerProperties.SNAPSHOT_SOURCE, "src")
                    .containsEntry(PeerProperties.MANAGED, "true");
            assertThat(zfsCrashFixture.pool().files("tank/s/src/copy")).containsEntry("file", "precious");
        }
    }

    /** Its stream goes on when it has died, or takes the dataset with it. */
    @ParameterizedTest
    @MethodSource("types")
    void a_copy_of_which_a_part_has_come_is_waited_for(String type) {
        ZfsCrashFixture zfsCrashFixture = world(type);
        Call call = CALLS.get(3);
        List<List<String>> commands = PeerCommands.of(type, call.name());
        play(zfsCrashFixture.pool(), commands.subList(0, 1));
        zfsCrashFixture.pool().begin(commands.get(1));
        String before = zfsCrashFixture.pool().own(PVC).toString();

        Failing.with(Failure.BackendUnavailable.class, () -> create(zfsCrashFixture, call, GI));

        assertThat(zfsCrashFixture.pool().own(PVC)).hasToString(before);
        assertThat(zfsCrashFixture.pool().names()).contains("tank/v/src@volume-source-for-volume-pvc-1");
    }

    /** democratic-csi takes its mark for the sign that all is there, and gives none of the others to what exists. */
    @ParameterizedTest
    @MethodSource("types")
    void success_is_told_with_or_after_all_that_the_peer_reads(String type) {
        for (Call call : CALLS) {
            ZfsCrashFixture zfsCrashFixture = world(type);

            create(zfsCrashFixture, call, GI);

            String before = "";
            for (List<String> words : zfsCrashFixture.pool().history()) {
                before += words.getLast().startsWith(PVC) ? String.join(" ", words) : "";
                if (before.contains(PeerProperties.SUCCESS + "=")) {
                    assertThat(before)
                            .as(type + " " + call.name())
                            .contains(
                                    PeerProperties.PROVISIONER_DRIVER + "=" + type,
                                    PeerProperties.PROVISIONER_INSTANCE + "=i-1",
                                    PeerProperties.SHARE_CONTEXT + "={");
                }
            }
            assertThat(before).contains(PeerProperties.SUCCESS + "=true");
        }
    }

    @Test
    void the_empty_folder_of_its_detached_snapshots_goes_with_the_last() {
        assertThat(withoutCopy(_ -> {})).contains("tank/s").doesNotContain("tank/s/src");
        assertThat(withoutCopy(pool -> pool.play(List.of("zfs", "create", "-p", "tank/s/src/other"))))
                .contains("tank/s/src", "tank/s/src/other");
        assertThat(withoutCopy(pool -> pool.files("tank/s/src").put("notes.txt", "somebody's")))
                .contains("tank/s/src");
    }

    private static Set<String> withoutCopy(Consumer<FakePool> before) {
        ZfsCrashFixture zfsCrashFixture = world("zfs-generic-nfs");
        before.accept(zfsCrashFixture.pool());
        delete(zfsCrashFixture, "s:nas/src/copy");
        assertThat(zfsCrashFixture.pool().names()).doesNotContain("tank/s/src/copy");
        return zfsCrashFixture.pool().names();
    }

    private static void delete(ZfsCrashFixture zfsCrashFixture, String handle) {
        try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
            oneConnectionFixture.useCases().deleteSnapshot().delete(handle, TestWork.patient());
        }
    }

    /** Whoever clears up after a call that has failed clears nothing that democratic-csi has begun. */
    @Test
    void a_failure_leaves_what_there_was() {
        ZfsCrashFixture zfsCrashFixture = world("zfs-generic-nfs");
        play(
                zfsCrashFixture.pool(),
                PeerCommands.of("zfs-generic-nfs", "create").subList(0, 2));
        zfsCrashFixture
                .pool()
                .refuse("0777", "chmod: changing permissions of '/tank/v/pvc-1': Operation not permitted");

        Failing.with(Failure.BackendUnavailable.class, () -> create(zfsCrashFixture, CALLS.getFirst(), GI));

        assertThat(zfsCrashFixture.pool().own(PVC))
                .doesNotContainKeys(OwnProperties.STATE, PeerProperties.SHARE_CONTEXT, PeerProperties.SUCCESS);
        zfsCrashFixture.pool().refuse("0777", "");
        assertThat(create(zfsCrashFixture, CALLS.getFirst(), GI).context()).containsEntry("share", "/" + PVC);
    }

    /** A target that was made under the name of another template stays the volume's. */
    @Test
    void a_target_keeps_the_name_that_is_noted() {
        ZfsCrashFixture zfsCrashFixture = world("zfs-generic-iscsi");
        List<List<String>> commands = PeerCommands.of("zfs-generic-iscsi", "create");
        play(zfsCrashFixture.pool(), commands.subList(0, 2));
        zfsCrashFixture.pool().play(List.of("zfs", "set", PeerProperties.ISCSI_ASSET + "=other-pvc-1", PVC));

        VolumeView view = create(zfsCrashFixture, CALLS.getFirst(), GI);

        assertThat(view.context()).containsEntry("iqn", "iqn.2003-01.org.x:other-pvc-1");
        assertThat(zfsCrashFixture.pool().own(PVC))
                .containsEntry(PeerProperties.ISCSI_ASSET, "other-pvc-1")
                .containsEntry(PeerProperties.SUCCESS, "true");
    }
}
