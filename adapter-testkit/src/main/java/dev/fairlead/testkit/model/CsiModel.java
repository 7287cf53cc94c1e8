package dev.fairlead.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Knows what must exist after the calls so far, and checks that each answer is one that the call may give. */
final class CsiModel {
    /** A volume that exists. */
    record Volume(String name, Facts.Volume facts, String content) {}

    /** A snapshot that exists. */
    record Snapshot(String name, Facts.Snapshot facts, String content) {}

    private final boolean snapshotsHoldVolumes;
    private final Map<String, Volume> volumes = new LinkedHashMap<>();
    private final Map<String, Snapshot> snapshots = new LinkedHashMap<>();
    private final Map<String, String> volumeIds = new HashMap<>();
    private final Map<String, String> snapshotIds = new HashMap<>();

    CsiModel(boolean snapshotsHoldVolumes) {
        this.snapshotsHoldVolumes = snapshotsHoldVolumes;
    }

    /** Returns the last id that a volume of this name had; the name itself if there never was one. */
    String volumeId(String name) {
        return volumeIds.getOrDefault(name, name);
    }

    String snapshotId(String name) {
        return snapshotIds.getOrDefault(name, name);
    }

    Optional<Volume> volume(String id) {
        return Optional.ofNullable(volumes.get(id));
    }

    Collection<Volume> volumes() {
        return volumes.values();
    }

    Collection<Snapshot> snapshots() {
        return snapshots.values();
    }

    private Optional<Volume> volumeNamed(String name) {
        return volumes.values().stream().filter(v -> v.name().equals(name)).findFirst();
    }

    private Optional<Snapshot> snapshotNamed(String name) {
        return snapshots.values().stream().filter(s -> s.name().equals(name)).findFirst();
    }

    private boolean exists(Facts.Source source) {
        return switch (source.kind()) {
            case NONE -> true;
            case SNAPSHOT -> snapshots.containsKey(source.id());
            case VOLUME -> volumes.containsKey(source.id());
        };
    }

    private static boolean badRange(long required, long limit) {
        return required < 0 || limit < 0 || (limit > 0 && required > limit);
    }

    private static boolean fits(long size, long required, long limit) {
        return size >= required && (limit == 0 || size <= limit);
    }

    void created(String name, long required, long limit, Facts.Source source, Answer<Facts.Volume> answer) {
        Optional<Volume> existing = volumeNamed(name);
        Set<Code> allowed = EnumSet.noneOf(Code.class);
        if (badRange(required, limit)) {
            allowed.add(Code.OUT_OF_RANGE);
        } else if (existing.isPresent()) {
            Facts.Volume there = existing.get().facts();
            boolean same = there.source().equals(source) && fits(there.capacity(), required, limit);
            allowed.add(same ? Code.OK : Code.ALREADY_EXISTS);
            if (!same && !exists(source)) {
                allowed.add(Code.NOT_FOUND);
            }
        } else if (!exists(source)) {
            allowed.add(Code.NOT_FOUND);
        } else {
            allowed.add(limit > 0 && sizeOf(source) > limit ? Code.OUT_OF_RANGE : Code.OK);
        }
        expect(allowed, answer);
        answer.value().ifPresent(facts -> keep(name, required, limit, source, existing, facts));
    }

    private long sizeOf(Facts.Source source) {
        return switch (source.kind()) {
            case NONE -> 0;
            case SNAPSHOT -> snapshot(source.id()).facts().size();
            case VOLUME ->
                Objects.requireNonNull(volumes.get(source.id())).facts().capacity();
        };
    }

    private Snapshot snapshot(String id) {
        return Objects.requireNonNull(snapshots.get(id), id);
    }

    private void keep(
            String name,
            long required,
            long limit,
            Facts.Source source,
            Optional<Volume> existing,
            Facts.Volume facts) {
        if (existing.isPresent()) {
            assertThat(facts).as("a repeated create").isEqualTo(existing.get().facts());
            return;
        }
        assertThat(facts.source()).as("source of the new volume").isEqualTo(source);
        assertThat(fits(facts.capacity(), Math.max(required, sizeOf(source)), limit))
                .as("%s is at least %d and the source's size, at most %d", facts, required, limit)
                .isTrue();
        assertThat(volumes).as("a new volume has an id of its own").doesNotContainKey(facts.id());
        String content = switch (source.kind()) {
            case NONE -> "";
            case SNAPSHOT -> snapshot(source.id()).content();
            case VOLUME -> Objects.requireNonNull(volumes.get(source.id())).content();
        };
        volumes.put(facts.id(), new Volume(name, facts, content));
        volumeIds.put(name, facts.id());
    }

    void deleted(String id, Answer<String> answer) {
        boolean held = snapshotsHoldVolumes
                && volumes.containsKey(id)
                && snapshots.values().stream()
                        .anyMatch(snapshot -> snapshot.facts().source().equals(id));
        expect(EnumSet.of(held ? Code.FAILED_PRECONDITION : Code.OK), answer);
        if (!held) {
            volumes.remove(id);
        }
    }

    void expanded(String id, long required, long limit, Answer<Long> answer) {
        Optional<Volume> volume = volume(id);
        if (badRange(required, limit)) {
            expect(EnumSet.of(Code.OUT_OF_RANGE), answer);
        } else if (volume.isEmpty()) {
            expect(EnumSet.of(Code.NOT_FOUND), answer);
        } else {
            long size = volume.get().facts().capacity();
            boolean tooLarge = limit > 0 && size > limit;
            expect(EnumSet.of(tooLarge ? Code.OUT_OF_RANGE : Code.OK), answer);
            answer.value().ifPresent(now -> {
                assertThat(fits(now, Math.max(required, size), limit))
                        .as("%d is at least %d and the %d before, at most %d", now, required, size, limit)
                        .isTrue();
                Volume grown = volume.get();
                volumes.put(id, new Volume(grown.name(), grown.facts().withCapacity(now), grown.content()));
            });
        }
    }

    void written(String id, String content) {
        volumes.computeIfPresent(id, (_, volume) -> new Volume(volume.name(), volume.facts(), content));
    }

    void got(String id, Answer<Facts.Volume> answer) {
        Optional<Facts.Volume> there = volume(id).map(Volume::facts);
        expect(EnumSet.of(there.isPresent() ? Code.OK : Code.NOT_FOUND), answer);
        assertThat(answer.value()).isEqualTo(there);
    }

    void listed(List<Facts.Volume> all) {
        assertThat(all)
                .as("all volumes")
                .containsExactlyInAnyOrderElementsOf(
                        volumes.values().stream().map(Volume::facts).toList());
    }

    void taken(String name, String source, Answer<Facts.Snapshot> answer) {
        Optional<Snapshot> existing = snapshotNamed(name);
        Set<Code> allowed = EnumSet.noneOf(Code.class);
        if (existing.isPresent()) {
            boolean same = existing.get().facts().source().equals(source);
            allowed.add(same ? Code.OK : Code.ALREADY_EXISTS);
            if (!same && !volumes.containsKey(source)) {
                allowed.add(Code.NOT_FOUND);
            }
        } else {
            allowed.add(volumes.containsKey(source) ? Code.OK : Code.NOT_FOUND);
        }
        expect(allowed, answer);
        answer.value().ifPresent(facts -> {
            if (existing.isPresent()) {
                assertThat(facts)
                        .as("a repeated snapshot")
                        .isEqualTo(existing.get().facts());
                return;
            }
            Volume of = Objects.requireNonNull(volumes.get(source));
            assertThat(facts.source()).as("source of the new snapshot").isEqualTo(source);
            assertThat(facts.size()).isLessThanOrEqualTo(of.facts().capacity());
            assertThat(snapshots).as("a new snapshot has an id of its own").doesNotContainKey(facts.id());
            snapshots.put(facts.id(), new Snapshot(name, facts, of.content()));
            snapshotIds.put(name, facts.id());
        });
    }

    void deletedSnapshot(String id, Answer<String> answer) {
        expect(EnumSet.of(Code.OK), answer);
        snapshots.remove(id);
    }

    void gotSnapshot(String id, Answer<Facts.Snapshot> answer) {
        Optional<Facts.Snapshot> there = Optional.ofNullable(snapshots.get(id)).map(Snapshot::facts);
        expect(EnumSet.of(there.isPresent() ? Code.OK : Code.NOT_FOUND), answer);
        assertThat(answer.value()).isEqualTo(there);
    }

    void listedSnapshots(Optional<String> source, List<Facts.Snapshot> all) {
        assertThat(all)
                .as("snapshots of %s", source)
                .containsExactlyInAnyOrderElementsOf(snapshots.values().stream()
                        .map(Snapshot::facts)
                        .filter(facts -> source.map(facts.source()::equals).orElse(true))
                        .toList());
        assertThat(new HashSet<>(all)).hasSameSizeAs(all);
    }

    static void expect(Set<Code> allowed, Answer<?> answer) {
        assertThat(allowed)
                .as("answered %s: %s", answer.code(), answer.message())
                .contains(answer.code());
        assertThat(answer.value().isPresent()).isEqualTo(answer.code() == Code.OK);
        assertThat(answer.message().isBlank()).as("a failure says why").isEqualTo(answer.code() == Code.OK);
    }
}
