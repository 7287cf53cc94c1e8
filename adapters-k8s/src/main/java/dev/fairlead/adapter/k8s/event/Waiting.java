package dev.fairlead.adapter.k8s.event;

import dev.fairlead.application.port.out.cluster.Announcement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Holds what is still to be told: the newest announcement of each kind and subject, with how often it was made. It is
 * bounded: if there is no room, a new kind or subject is dropped. Volumes have half of it at most.
 */
final class Waiting {
    private final int most;
    private final SequencedMap<Topic, Told> queue = new LinkedHashMap<>();
    private boolean closed;

    Waiting(int most) {
        this.most = most;
    }

    /** Holds what announcements that become one event have in common. */
    record Topic(Announcement.Kind kind, String subject) {
        static Topic of(Announcement announcement) {
            return new Topic(announcement.kind(), announcement.subject());
        }

        boolean isOfVolume() {
            return kind.isOfVolume();
        }
    }

    /** Holds an announcement, and how often it was made. */
    record Told(Announcement announcement, int times) {}

    /** Adds an announcement; returns false if it was dropped. */
    synchronized boolean offer(Announcement announcement) {
        Topic topic = Topic.of(announcement);
        Told before = queue.get(topic);
        if (closed || (before == null && isFull(topic))) {
            return false;
        }
        queue.put(topic, new Told(announcement, before == null ? 1 : before.times() + 1));
        notifyAll();
        return true;
    }

    private boolean isFull(Topic topic) {
        long volumes = queue.keySet().stream().filter(Topic::isOfVolume).count();
        return queue.size() >= most || (topic.isOfVolume() && volumes >= most / 2);
    }

    /** Takes the oldest as soon as there is one; empty if there will be none any more. */
    synchronized Optional<Told> take() throws InterruptedException {
        while (queue.isEmpty() && !closed) {
            wait();
        }
        Map.Entry<Topic, Told> first = queue.pollFirstEntry();
        return first == null ? Optional.empty() : Optional.of(first.getValue());
    }

    /** Lets nothing in any more; what is there can still be taken. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
