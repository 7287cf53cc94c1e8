package dev.fairlead.application.service;

import dev.fairlead.application.port.in.CreateVolume;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyChoice;
import dev.fairlead.domain.topology.TopologyChoice.Candidate;
import dev.fairlead.domain.topology.TopologyChoice.Choice;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses among the sites of a class: the one that has the volume already, else the first by topology that has room.
 *
 * <p>With one site there is nothing to ask. With several, an earlier call may have made the volume on any of them; one
 * that does not answer is passed over, at worst for an orphan that can be collected, never for lost data.
 */
record SiteChoice(HandleCodec codec, Telemetry telemetry, Work work) {
    private static final Logger log = LoggerFactory.getLogger(SiteChoice.class);

    /** @param others connections on which the volume may have been made earlier, and cannot be made now */
    Site choose(List<Site> sites, List<Asked> others, CreateVolume.Command command) {
        if (sites.size() == 1 && others.isEmpty()) {
            return order(sites, command).getFirst();
        }
        var poll = new Poll(work, telemetry, "look for " + command.name());
        // A single site need not be asked: making the volume there finds one that exists.
        List<Asked> all = new ArrayList<>(sites.size() == 1 ? List.of() : Asked.candidates(sites));
        all.addAll(others);
        var looked = poll.askAny(
                all, Asked::lease, Asked::candidate, (one, backend) -> one.existing(command, codec, backend, work));
        var found = looked.stream().filter(it -> it.answer().isPresent()).toList();
        return switch (found.size()) {
            case 0 -> fresh(sites, looked.stream().map(Poll.Answer::asked).toList(), others, command);
            case 1 -> found(found.getFirst().asked(), found.getFirst().answer().orElseThrow(), command);
            default -> throw twice(found);
        };
    }

    private Site fresh(List<Site> sites, List<Asked> answered, List<Asked> others, CreateVolume.Command command) {
        if (sites.size() == 1) {
            return order(sites, command).getFirst();
        }
        List<Site> usable = answered.stream()
                .filter(Asked::candidate)
                .flatMap(it -> it.site().stream())
                .toList();
        if (!usable.isEmpty()) {
            return withRoom(order(usable, command));
        }
        throw others.stream()
                .filter(_ -> sites.isEmpty())
                .flatMap(it -> it.refusal().stream())
                .findFirst()
                .orElseGet(() -> new StorageException(new Failure.BackendUnavailable(
                        names(sites), "none of them answered when asked for " + command.name())));
    }

    private Site found(Asked where, StoredVolume volume, CreateVolume.Command command) {
        if (!where.candidate()) {
            telemetry.foundElsewhere(where.lease().name());
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("connection", where.lease().name())
                    .log(
                            "the volume of {} is here since an earlier call, and could not be made here now",
                            command.name());
        }
        return existing(where.found(), volume, command);
    }

    /**
     * Returns the one site on which the transfer has begun, since what came there would be lost elsewhere; else all
     * sites.
     */
    List<Site> begun(List<Site> sites) {
        if (sites.size() <= 1) {
            return sites;
        }
        var poll = new Poll(work, telemetry, "look for a transfer");
        List<Site> begun = poll
                .ask(
                        sites,
                        Site::lease,
                        (site, backend) -> backend.store()
                                .transfer()
                                .flatMap((ContentTransfer it) ->
                                        it.arrival().begun(site.birth().id(), work)))
                .stream()
                .filter(it -> it.answer().isPresent())
                .map(Poll.Answer::asked)
                .toList();
        return begun.size() == 1 ? begun : sites;
    }

    private static List<Site> order(List<Site> sites, CreateVolume.Command command) {
        List<Candidate<Site>> candidates = sites.stream()
                .map(site -> new Candidate<>(site.lease().name(), placement(site), site))
                .toList();
        return TopologyChoice.order(candidates, command.reach(), command.name()).stream()
                .map((Choice<Site> choice) -> choice.candidate().subject())
                .toList();
    }

    private Site existing(Site site, StoredVolume volume, CreateVolume.Command command) {
        if (!TopologyChoice.satisfies(placement(site), command.reach())) {
            // As with one connection: on this code the scheduler chooses again, until it comes to a node that reaches
            // the volume.
            throw new StorageException(new Failure.Unreachable(handle(site.lease(), volume)
                    + " is there since an earlier call, and its connection is not reachable from where the volume is"
                    + " wanted now; it is answered to a claim that may be where it is, and a claim that is given up"
                    + " leaves it there"));
        }
        return site;
    }

    private Site withRoom(List<Site> ordered) {
        if (ordered.size() == 1) {
            return ordered.getFirst();
        }
        var poll = new Poll(work, telemetry, "ask for room");
        var rooms = poll.ask(
                ordered,
                Site::lease,
                (site, backend) -> backend.store().room(site.request().parameters(), work));
        return rooms.stream()
                .filter(it -> fits(it.asked(), it.answer()))
                .map(Poll.Answer::asked)
                .findFirst()
                .orElseThrow(() -> new StorageException(noRoom(rooms)));
    }

    private static boolean fits(Site site, Room room) {
        return !most(room).isLessThan(site.birth().capacity());
    }

    private static Capacity most(Room room) {
        return room.largest().orElse(room.available());
    }

    private static Failure noRoom(List<Poll.Answer<Site, Room>> rooms) {
        Capacity wanted = rooms.getFirst().asked().birth().capacity();
        return new Failure.OutOfSpace(
                names(rooms.stream().map(Poll.Answer::asked).toList()),
                wanted + " are wanted, there are "
                        + rooms.stream().map(it -> most(it.answer()).toString()).collect(Collectors.joining(", ")));
    }

    private StorageException twice(List<Poll.Answer<Asked, Optional<StoredVolume>>> found) {
        Poll.Answer<Asked, Optional<StoredVolume>> first = found.getFirst();
        return new StorageException(new Failure.VolumeConflict(
                handle(first.asked().lease(), first.answer().orElseThrow()),
                "it is on several connections: "
                        + found.stream()
                                .map(it -> it.asked().lease().name().value())
                                .collect(Collectors.joining(", "))
                        + "; delete all but the one that is in use"));
    }

    private String handle(Lease lease, StoredVolume volume) {
        return new VolumeViews(codec).handle(lease.backend(), volume);
    }

    private static Placement placement(Site site) {
        return site.lease().backend().settings().placement();
    }

    private static String names(List<Site> sites) {
        return sites.stream().map(site -> site.lease().name().value()).collect(Collectors.joining(", "));
    }
}
