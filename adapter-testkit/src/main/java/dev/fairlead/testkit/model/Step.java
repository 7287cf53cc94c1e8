package dev.fairlead.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A step is one call of a random sequence, or a few that belong together. Volumes and snapshots are given by name, so
 * that any part of a sequence is a sequence too.
 */
sealed interface Step {
    /** Makes the call and compares its answer with the model, which then knows what has changed. */
    void play(CsiCalls calls, CsiModel model);

    record CreateVolume(String name, long required, long limit, Facts.Source.Kind kind, String from) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            Facts.Source source = switch (kind) {
                case NONE -> Facts.Source.NONE;
                case SNAPSHOT -> new Facts.Source(kind, model.snapshotId(from));
                case VOLUME -> new Facts.Source(kind, model.volumeId(from));
            };
            model.created(name, required, limit, source, calls.createVolume(name, required, limit, source));
        }
    }

    record DeleteVolume(String name) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            String id = model.volumeId(name);
            model.deleted(id, calls.deleteVolume(id));
        }
    }

    record ExpandVolume(String name, long required, long limit) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            if (calls.offersExpansion()) {
                String id = model.volumeId(name);
                model.expanded(id, required, limit, calls.expandVolume(id, required, limit));
            }
        }
    }

    record Write(String name, String content) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            String id = model.volumeId(name);
            if (model.volume(id).isPresent()) {
                calls.write(id, content);
                model.written(id, content);
            }
        }
    }

    record GetVolume(String name) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            String id = model.volumeId(name);
            model.got(id, calls.getVolume(id));
        }
    }

    record TakeSnapshot(String name, String of) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            String id = model.volumeId(of);
            model.taken(name, id, calls.createSnapshot(name, id));
        }
    }

    record DeleteSnapshot(String name) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            String id = model.snapshotId(name);
            model.deletedSnapshot(id, calls.deleteSnapshot(id));
        }
    }

    record GetSnapshot(String name) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            String id = model.snapshotId(name);
            model.gotSnapshot(id, calls.getSnapshot(id));
        }
    }

    /** Makes every call that takes an id with one that nothing ever had: it must find and change nothing. */
    record Hostile(String id) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            EnumSet<Code> absent = EnumSet.of(Code.NOT_FOUND, Code.INVALID_ARGUMENT, Code.UNAVAILABLE);
            EnumSet<Code> done = EnumSet.of(Code.OK, Code.INVALID_ARGUMENT, Code.UNAVAILABLE);
            CsiModel.expect(absent, calls.getVolume(id));
            CsiModel.expect(absent, calls.getSnapshot(id));
            if (calls.offersExpansion()) {
                CsiModel.expect(absent, calls.expandVolume(id, 1 << 20, 0));
            }
            CsiModel.expect(absent, calls.createSnapshot("snap-of-nothing", id));
            CsiModel.expect(done, calls.deleteVolume(id));
            CsiModel.expect(done, calls.deleteSnapshot(id));
        }
    }

    /** Lists everything, page by page. */
    record Lists(int pageSize, String ofVolume) implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            model.listed(everyPart(calls::listVolumes));
            model.listedSnapshots(
                    Optional.empty(), everyPart((token, max) -> calls.listSnapshots(Optional.empty(), token, max)));
            Optional<String> source = Optional.of(model.volumeId(ofVolume));
            model.listedSnapshots(source, everyPart((token, max) -> calls.listSnapshots(source, token, max)));
        }

        private <T> List<T> everyPart(BiFunction<Optional<String>, Integer, Answer<Facts.Part<T>>> call) {
            List<T> all = new ArrayList<>();
            Optional<String> token = Optional.empty();
            do {
                Answer<Facts.Part<T>> answer = call.apply(token, pageSize);
                CsiModel.expect(EnumSet.of(Code.OK), answer);
                Facts.Part<T> part = answer.value().orElseThrow();
                assertThat(part.items().size())
                        .as("items of a part")
                        .isLessThanOrEqualTo(pageSize == 0 ? Integer.MAX_VALUE : pageSize);
                all.addAll(part.items());
                token = part.next();
                assertThat(all.size()).as("a list ends").isLessThan(10_000);
            } while (token.isPresent());
            return all;
        }
    }

    /** Compares everything that can be seen: facts and content of each volume, facts of each snapshot. */
    record LookAtAll() implements Step {
        @Override
        public void play(CsiCalls calls, CsiModel model) {
            for (CsiModel.Volume volume : model.volumes()) {
                String id = volume.facts().id();
                model.got(id, calls.getVolume(id));
                calls.read(id)
                        .ifPresent(content ->
                                assertThat(content).as("content of %s", id).isEqualTo(volume.content()));
            }
            for (CsiModel.Snapshot snapshot : model.snapshots()) {
                String id = snapshot.facts().id();
                model.gotSnapshot(id, calls.getSnapshot(id));
            }
            new Lists(0, "none").play(calls, model);
        }
    }
}
