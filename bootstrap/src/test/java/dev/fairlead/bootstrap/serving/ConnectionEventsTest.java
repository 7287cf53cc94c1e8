package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.domain.connection.ConnectionName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionEventsTest {
    private static final ConnectionName FAST = new ConnectionName("fast");

    private final List<Announcement> told = new ArrayList<>();
    private final ConnectionEvents news = new ConnectionEvents(new ToldAnnouncements(told));

    @Test
    void a_connection_that_works_is_no_news() {
        news.loaded(FAST);
        news.loaded(FAST);
        news.folder(List.of());

        assertThat(told).isEmpty();
    }

    @Test
    void a_rejection_says_what_is_wrong_and_where_and_a_recovery_follows_once() {
        var problems = new Problems("fast.yaml");
        problems.error("local-hostpath.shareBasePath", 3, "is missing", "name a folder");

        news.rejected(FAST, problems.errors());
        news.loaded(FAST);
        news.loaded(FAST);

        assertThat(told)
                .containsExactly(
                        new Announcement(
                                Kind.CONNECTION_REJECTED,
                                "fast",
                                "connection fast was not loaded, its last good version, if any, goes on:"
                                        + " fast.yaml:3: local-hostpath.shareBasePath: is missing (name a folder)"),
                        new Announcement(Kind.CONNECTION_RECOVERED, "fast", "connection fast is loaded again"));
    }

    @Test
    void a_file_that_comes_back_is_a_recovery() {
        news.removed(FAST);
        news.loaded(FAST);

        assertThat(told)
                .extracting(Announcement::kind)
                .containsExactly(Kind.CONNECTION_REMOVED, Kind.CONNECTION_RECOVERED);
    }

    @Test
    void a_folder_in_trouble_is_told_of() {
        var problems = new Problems("/etc/connections");
        problems.error("", 0, "is missing", "mount it");

        news.folder(problems.all());

        assertThat(told)
                .containsExactly(
                        new Announcement(Kind.FOLDER_TROUBLED, "folder", "/etc/connections: is missing (mount it)"));
    }
}
