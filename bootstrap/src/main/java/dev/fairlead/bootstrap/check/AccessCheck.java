package dev.fairlead.bootstrap.check;

import dev.fairlead.application.port.out.AccessReview;
import dev.fairlead.application.port.out.AccessReview.Findings;
import dev.fairlead.application.port.out.AccessReview.RoleGrant;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.bootstrap.check.AccessReport.ConnectionAccess;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Asks the storages of connections which rights their credentials have: all at once, so that a dead one costs no other.
 */
public final class AccessCheck implements AutoCloseable {
    private final Supplier<Work> works;
    private final long patienceSeconds;
    private final List<Backend> backends = new ArrayList<>();

    /**
     * @param works begins a piece of work
     * @param patienceSeconds the longest time for all answers together
     */
    public AccessCheck(Supplier<Work> works, long patienceSeconds) {
        this.works = works;
        this.patienceSeconds = patienceSeconds;
    }

    /** Takes a connection, to be asked for and closed. */
    public void add(Backend backend) {
        backends.add(backend);
    }

    public AccessReport run() {
        Map<Backend, Future<ConnectionAccess>> answers = new LinkedHashMap<>();
        for (Backend backend : backends) {
            FutureTask<ConnectionAccess> task = new FutureTask<>(() -> reviewed(backend));
            Thread.ofVirtual().name("review " + backend.name()).start(task);
            answers.put(backend, task);
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
        List<ConnectionAccess> all = new ArrayList<>();
        answers.forEach((backend, answer) -> all.add(awaited(backend, answer, end)));
        return new AccessReport(all);
    }

    private ConnectionAccess awaited(Backend backend, Future<ConnectionAccess> answer, long end) {
        try {
            return answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            answer.cancel(true);
            return trouble(backend, "no answer within " + patienceSeconds + " s");
        } catch (ExecutionException e) {
            return trouble(backend, String.valueOf(e.getCause()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return trouble(backend, "interrupted");
        }
    }

    private static ConnectionAccess trouble(Backend backend, String what) {
        return new ConnectionAccess(backend.name().value(), "", List.of(), List.of(), List.of(), what);
    }

    /** Asks for a connection's store and its exporter, and puts together what both need. */
    private ConnectionAccess reviewed(Backend backend) {
        List<AccessReview> reviews = Stream.of(
                        backend.store().accessReview(), backend.exporter().accessReview())
                .flatMap(Optional::stream)
                .toList();
        try {
            Set<String> who = new LinkedHashSet<>();
            Set<String> warnings = new LinkedHashSet<>();
            Map<String, RoleGrant> rights = new TreeMap<>();
            for (AccessReview review : reviews) {
                Findings found = review.review(works.get());
                who.add(found.who());
                warnings.addAll(found.troubles());
                found.rights().forEach(right -> rights.merge(right.name(), right, AccessCheck::both));
            }
            List<String> remedies = rights.values().stream().noneMatch(RoleGrant::isMissing)
                    ? List.of()
                    : reviews.getFirst().remedies(toGive(rights.values()));
            return new ConnectionAccess(
                    backend.name().value(),
                    String.join("; ", who),
                    List.copyOf(rights.values()),
                    remedies,
                    List.copyOf(warnings),
                    "");
        } catch (StorageException e) {
            return trouble(backend, String.valueOf(e.getMessage()));
        }
    }

    /** Returns what is needed, and what is had beside, which a command that replaces all must not take away. */
    private static List<String> toGive(Collection<RoleGrant> rights) {
        return rights.stream()
                .filter(right -> right.granted() || right.isMissing())
                .map(RoleGrant::name)
                .toList();
    }

    private static RoleGrant both(RoleGrant one, RoleGrant other) {
        return new RoleGrant(
                one.name(),
                one.purpose() + ", " + other.purpose(),
                one.granted() && other.granted(),
                one.optional() && other.optional());
    }

    @Override
    public void close() {
        backends.forEach(FolderCheck::close);
    }
}
