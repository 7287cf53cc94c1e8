package dev.fairlead.adapter.freenas.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.TruenasVersion;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.application.port.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a change gets while sessions are opened slowly, or were closed. */
class SessionLinksTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30));

    private final List<OpenSession> opened = new CopyOnWriteArrayList<>();
    private final CountDownLatch mayOpen = new CountDownLatch(1);

    /** The first session opens at once, all others when they may. */
    private SessionLinks links() {
        return new SessionLinks(before -> link(before), InstantSource.system());
    }

    private SessionLink link(Runnable before) {
        var opener = new SessionLink.Opener() {
            @Override
            public Session open() throws InterruptedException {
                before.run();
                if (!opened.isEmpty()) {
                    mayOpen.await();
                }
                var session = new OpenSession(new AtomicBoolean(true));
                opened.add(session);
                return session;
            }

            @Override
            public void close() {}
        };
        return new SessionLink(
                "box",
                opener,
                BACKOFF,
                InstantSource.system(),
                Thread.ofVirtual().factory());
    }

    @Test
    void a_change_waits_only_moments_for_a_session_of_its_own() throws Exception {
        try (SessionLinks links = links()) {
            Session asking = links.session(LONG, () -> {});
            try (SessionLinks.Lease _ = links.forChange(asking, LONG)) {
                long begun = System.nanoTime();

                try (SessionLinks.Lease second = links.forChange(asking, LONG)) {
                    assertThat(second.session()).isSameAs(asking);
                }

                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
            }
            mayOpen.countDown();
        }
    }

    @Test
    void what_was_closed_opens_no_further_session() throws Exception {
        mayOpen.countDown();
        SessionLinks links = links();
        Session asking = links.session(LONG, () -> {});
        try (SessionLinks.Lease _ = links.forChange(asking, LONG)) {
            links.close();

            try (SessionLinks.Lease second = links.forChange(asking, LONG)) {
                assertThat(second.session()).isSameAs(asking);
            }
        }
        assertThat(opened).noneMatch(Session::isOpen);
    }

    @Test
    void a_change_that_has_to_go_by_the_session_that_read_gets_that_one() throws Exception {
        mayOpen.countDown();
        try (SessionLinks links = links()) {
            Session asking = links.session(LONG, () -> {});
            try (SessionLinks.Lease _ = links.forChange(asking, LONG);
                    SessionLinks.Lease other = links.forChange(asking, LONG);
                    SessionLinks.Lease same = links.forSame(asking)) {
                assertThat(other.session()).isNotSameAs(asking);
                assertThat(same.session()).isSameAs(asking);
            }
        }
    }

    private record OpenSession(AtomicBoolean open) implements Session {
        @Override
        public TruenasRelease release() {
            TruenasVersion version = TruenasVersion.parse("v26.0.0").orElseThrow();
            return new TruenasRelease(version, version, false);
        }

        @Override
        public boolean isOpen() {
            return open.get();
        }

        @Override
        public Reply call(ApiCall call, Duration patience, Runnable between) {
            throw new IllegalStateException("not needed");
        }

        @Override
        public Optional<JsonObject> job(long id, Duration patience, Runnable between) {
            throw new IllegalStateException("not needed");
        }

        @Override
        public void retire() {
            open.set(false);
        }

        @Override
        public void close() {
            open.set(false);
        }
    }
}
