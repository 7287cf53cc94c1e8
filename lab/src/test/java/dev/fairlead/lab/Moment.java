package dev.fairlead.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A place in a run: right before one call that changes something.
 *
 * @param aim which threads are traced to strike there
 * @param nth how many calls of this name such a thread has made by then, itself included
 * @param before the changes before it, of those that the aim sees
 */
record Moment(Call call, Aim aim, int nth, List<String> before) {

    /** What is watched, so that the nth call of a name is this one and no other. */
    enum Aim {
        /** The one thread that works on the storage. */
        LANE,
        /** What is done to the process's log: a line of it is the last change before the answer. */
        LOG,
        /** What is asked of its loop devices: those of other programs come and go, and are asked as well. */
        DEVICE,
        /**
         * What is done at one path of the node's own files, whoever does it: threads may be new, and programs work too.
         */
        PATH,
        /** All other threads: those that mount, of which there are several, and those that empty the trash. */
        OTHERS
    }

    /**
     * All moments of a clean run, in its order.
     *
     * @param threads those of the process: what its programs do is no moment
     */
    static List<Moment> of(List<Call> calls, Path folder, int lane, Path log, Set<Integer> threads) {
        List<Moment> moments = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            if (call.changes(folder) && threads.contains(call.thread())) {
                Aim aim = aim(call, folder, lane, log);
                List<Call> seen = calls.subList(0, i + 1).stream()
                        .filter(other -> switch (aim) {
                            case OTHERS -> other.thread() != lane;
                            case PATH -> other.isAt(call.nodePath(folder).orElseThrow());
                            default -> aim(other, folder, lane, log) == aim;
                        })
                        .toList();
                int nth = (int) seen.stream()
                        .filter(other ->
                                other.thread() == call.thread() && other.name().equals(call.name()))
                        .count();
                moments.add(new Moment(call, aim, nth, forms(seen.subList(0, seen.size() - 1), call, folder)));
            }
        }
        return moments;
    }

    private static Aim aim(Call call, Path folder, int lane, Path log) {
        if (call.arguments().contains("<" + log + ">")) {
            return Aim.LOG;
        }
        if (call.isOfDevice(folder)) {
            return Aim.DEVICE;
        }
        if (call.thread() == lane) {
            return Aim.LANE;
        }
        return call.nodePath(folder).isPresent() ? Aim.PATH : Aim.OTHERS;
    }

    /** The changes among the calls; the trash is emptied beside the RPC, and the order of the two is chance. */
    private static List<String> forms(List<Call> calls, Call like, Path folder) {
        return calls.stream()
                .filter(call -> call.changes(folder) && call.emptiesTrash() == like.emptiesTrash())
                .map(Call::form)
                .toList();
    }

    /**
     * What is wrong with the trace of a run that was to die here; empty where it died at this very call.
     *
     * @param lane the thread that works on the storage in that run
     */
    Optional<String> missedBy(List<Call> all, Path folder, int lane) {
        List<Call> calls = all.stream()
                .filter(seen -> aim != Aim.OTHERS || seen.thread() != lane)
                .toList();
        List<Call> fatal = calls.stream()
                .filter(c -> c.diedIn() && c.name().equals(call.name()))
                .toList();
        if (fatal.size() != 1 || !fatal.getFirst().form().equals(call.form())) {
            return Optional.of("died in " + fatal + ", not in " + call.form());
        }
        List<String> found = forms(calls, call, folder);
        return found.equals(before)
                ? Optional.empty()
                : Optional.of("before " + call.form() + " it did " + found + ", where a clean run does " + before);
    }

    @Override
    public String toString() {
        return call.form();
    }
}
