package dev.fairlead.adapter.zfs.fake;

import dev.fairlead.zfs.dataset.DatasetName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What becomes of snapshots and clones where a dataset goes, gets another name, or changes places with its clone. */
abstract class FakeFamilies extends FakeDatasets {
    final String rename(String from, String to) {
        require(from);
        refuseTaken(to, "rename");
        refuseTooLong(from, to);
        for (String name : new ArrayList<>(nodes.keySet())) {
            Node node = require(name);
            String origin =
                    node.origin().startsWith(from + "@") ? to + node.origin().substring(from.length()) : node.origin();
            boolean moved = name.equals(from) || depthBelow(from, name) < Integer.MAX_VALUE;
            if (moved) {
                nodes.remove(name);
            }
            nodes.put(
                    moved ? to + name.substring(from.length()) : name,
                    new Node(node.type(), origin, node.own(), node.files(), node.born()));
        }
        return "";
    }

    /** What is below a dataset, its snapshots too, needs a name that is not too long either. */
    private void refuseTooLong(String from, String to) {
        nodes.keySet().stream()
                .filter(name -> name.equals(from) || depthBelow(from, name) < Integer.MAX_VALUE)
                .filter(name -> to.length() + name.length() - from.length() > DatasetName.MAX_BYTES)
                .findFirst()
                .ifPresent(_ -> {
                    throw new Refused("cannot rename '" + from + "': dataset name is too long");
                });
    }

    final String destroy(List<String> words) {
        String all = words.getLast();
        if (all.endsWith("@%")) {
            nodes.keySet().stream()
                    .filter(name -> name.startsWith(all.substring(0, all.length() - 1)))
                    .toList()
                    .forEach(name -> destroy(name, words.contains("-d")));
            return "";
        }
        return all.contains(",") ? destroyAll(all) : destroy(all, words.contains("-d"));
    }

    /** Of several snapshots all go, as far as they are there, or none. */
    private String destroyAll(String list) {
        String dataset = list.substring(0, list.indexOf('@') + 1);
        List<String> there = Pattern.compile(",")
                .splitAsStream(list.substring(dataset.length()))
                .map(name -> dataset + name)
                .filter(name -> nodes.containsKey(name))
                .toList();
        if (there.isEmpty()) {
            throw new Refused("could not find any snapshots to destroy; check snapshot names.");
        }
        there.forEach(name -> {
            refuseHeld(name);
            if (!clones(name).isEmpty()) {
                throw new Refused("cannot destroy '" + name + "': snapshot has dependent clones");
            }
        });
        there.forEach(name -> destroy(name, false));
        return "";
    }

    private void refuseHeld(String name) {
        if (FakeStreams.isHeld(require(name)) || require(name).own().containsKey(FakeCopies.BUSY)) {
            throw new Refused("cannot destroy snapshot " + name + ": dataset is busy");
        }
    }

    /** Returns how often it is still in use, null if it is not; one whose number is not known stays in use. */
    private static @Nullable String oneLess(String times) {
        return switch (times) {
            case "1" -> null;
            case "", "yes" -> times;
            default -> Integer.toString(Integer.parseInt(times) - 1);
        };
    }

    private String destroy(String name, boolean deferred) {
        Node node = require(name);
        String busy = node.own().get(FakeCopies.BUSY);
        if (busy != null) {
            node.own().computeIfPresent(FakeCopies.BUSY, (_, times) -> oneLess(times));
            throw new Refused("cannot destroy '" + name + "': dataset is busy");
        }
        boolean snapshot = node.type().equals("snapshot");
        if (snapshot && (FakeStreams.isHeld(node) || !clones(name).isEmpty())) {
            if (!deferred) {
                refuseHeld(name);
                throw new Refused("cannot destroy '" + name + "': snapshot has dependent clones");
            }
            node.own().put("defer_destroy", "on");
            return "";
        }
        if (nodes.keySet().stream().anyMatch(other -> above(other).equals(name))) {
            throw new Refused("cannot destroy '" + name + "': filesystem has children");
        }
        nodes.remove(name);
        Node origin = nodes.get(node.origin());
        if (origin != null
                && origin.own().containsKey("defer_destroy")
                && clones(node.origin()).isEmpty()) {
            nodes.remove(node.origin());
        }
        return "";
    }

    /** Its origin goes along with all snapshots that are older, and so do those that hang on them. */
    final String promote(String name) {
        Node clone = require(name);
        String snapshot = clone.origin();
        if (snapshot.isEmpty()) {
            throw new Refused("cannot promote '" + name + "': not a cloned filesystem");
        }
        String from = above(snapshot);
        long last = require(snapshot).born();
        nodes.put(name, new Node(clone.type(), require(from).origin(), clone.own(), clone.files(), clone.born()));
        for (String each : new ArrayList<>(nodes.keySet())) {
            if (above(each).equals(from) && each.contains("@") && require(each).born() <= last) {
                move(each, name + each.substring(from.length()));
            }
        }
        Node former = require(from);
        String moved = name + snapshot.substring(from.length());
        nodes.put(from, new Node(former.type(), moved, former.own(), former.files(), former.born()));
        return "";
    }

    private void move(String snapshot, String to) {
        nodes.put(to, nodes.remove(snapshot));
        nodes.replaceAll(
                (_, node) -> node.origin().equals(snapshot) && !node.type().equals("snapshot")
                        ? new Node(node.type(), to, node.own(), node.files(), node.born())
                        : node);
    }
}
