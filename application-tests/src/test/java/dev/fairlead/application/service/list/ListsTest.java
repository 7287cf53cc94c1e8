package dev.fairlead.application.service.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.list.Listing;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class ListsTest {
    private final InMemoryStorage a = InMemoryStorage.named("a");
    private final InMemoryStorage b = InMemoryStorage.named("b");
    private final InMemoryStorage c = InMemoryStorage.named("c");
    private final ControllerFixture controller = ControllerFixture.proxy().with(a, b, c);
    private final CountDownLatch storageAnswers = new CountDownLatch(1);

    @AfterEach
    void close() {
        storageAnswers.countDown();
        controller.close();
    }

    @Test
    void volumes_come_in_the_order_of_connection_and_id_with_the_context_of_their_birth() {
        VolumeView two = controller.create("pvc-2", "a");
        VolumeView one = controller.create("pvc-1", "c");

        Listing<VolumeView> all = volumes(Optional.empty(), 0);

        assertThat(all.items()).containsExactly(two, one);
        assertThat(all.nextToken()).isEmpty();
        assertThat(controller.useCases.getVolume().get("v:a/pvc-2", TestWork.patient()))
                .isEqualTo(two);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6, 7, 8, 100})
    void pages_of_any_size_hold_everything_once_and_the_last_has_no_token(int size) {
        List<String> expected = fill();

        List<Listing<VolumeView>> pages = pages(size);

        assertThat(pages.stream().flatMap(page -> page.items().stream()).map(VolumeView::handle))
                .containsExactlyElementsOf(expected);
        assertThat(pages).hasSize(Math.max(1, (expected.size() + size - 1) / size));
    }

    /** gRPC's clients take 4 MiB, and more is an error to them whatever they asked for. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1_000_000})
    void no_page_is_larger_than_callers_take(int max) {
        int count = 60;
        var store = new InMemoryVolumeStore(a);
        for (int i = 0; i < count; i++) {
            controller.create("pvc-" + (10 + i), "a");
            var large = new NoteChange(Notes.CONTEXT_PREFIX + "large", "", "ä".repeat(60_000));
            store.change(new NativeId("pvc-" + (10 + i)), large, TestWork.patient());
        }

        List<Listing<VolumeView>> pages = pages(max);

        assertThat(pages.stream().flatMap(page -> page.items().stream()).map(VolumeView::handle))
                .hasSize(count)
                .isSorted();
        assertThat(pages)
                .hasSizeGreaterThan(1)
                .allSatisfy(page -> assertThat(
                                page.items().stream().mapToInt(ListsTest::bytes).sum())
                        .isLessThan(4 << 20));
    }

    /** Each tells two handles, its own and its volume's, and a handle has the name of its connection. */
    @Test
    void no_page_of_snapshots_is_larger_than_callers_take() {
        int count = 3500;
        InMemoryStorage longest = InMemoryStorage.named("n".repeat(250));
        var store = new InMemoryVolumeStore(longest);
        var volume = new NativeId("v".repeat(350));
        store.create(store.plan(TestVolumes.empty("pvc"), volume), TestWork.patient());
        for (int i = 0; i < count; i++) {
            var request = new SnapshotRequest(new CsiName("s".repeat(100) + (1000 + i)), volume, Map.of());
            store.snapshots().orElseThrow().take(request, NativeId.MAX_BYTES, TestWork.patient());
        }
        controller.with(longest);

        List<Listing<SnapshotView>> pages = new ArrayList<>();
        for (Optional<String> token = Optional.of("");
                token.isPresent();
                token = pages.getLast().nextToken()) {
            pages.add(snapshots(
                    new ListSnapshots.Query(Optional.empty(), Optional.empty(), token.filter(it -> !it.isEmpty()), 0)));
        }

        assertThat(pages.stream().flatMap(page -> page.items().stream()).map(SnapshotView::handle))
                .hasSize(count)
                .isSorted();
        assertThat(pages)
                .hasSizeGreaterThan(1)
                .allSatisfy(page -> assertThat(page.items().stream()
                                .mapToInt(it -> (it.handle() + it.sourceVolume()).length())
                                .sum())
                        .isLessThan(4 << 20));
    }

    @Test
    void a_volume_that_no_message_holds_is_named_rather_than_left_out() {
        controller.create("pvc-1", "a");
        controller.create("pvc-2", "a");
        controller.create("pvc-3", "a");
        var large = new NoteChange(Notes.CONTEXT_PREFIX + "large", "", "x".repeat(5 << 20));
        new InMemoryVolumeStore(a).change(new NativeId("pvc-2"), large, TestWork.patient());

        assertThatThrownBy(() -> pages(0)).hasMessageContaining("pvc-2");
    }

    private static int bytes(VolumeView volume) {
        return volume.context().toString().getBytes(StandardCharsets.UTF_8).length;
    }

    @Test
    void a_list_goes_on_though_what_its_token_names_has_gone_and_others_have_come() {
        fill();
        Listing<VolumeView> first = volumes(Optional.empty(), 2);
        controller.useCases.deleteVolume().delete(first.items().getLast().handle(), TestWork.patient());
        controller.create("pvc-0", "a");
        controller.create("pvc-9", "a");

        Listing<VolumeView> rest = volumes(first.nextToken(), 0);

        assertThat(rest.items())
                .extracting(VolumeView::handle)
                .containsExactly("v:a/pvc-3", "v:a/pvc-9", "v:c/pvc-1", "v:c/pvc-2", "v:c/pvc-3", "v:c/pvc-4");
    }

    @Test
    void a_list_goes_on_though_the_connection_of_its_token_has_gone() {
        fill();
        Listing<VolumeView> first = volumes(Optional.empty(), 2);
        controller.connections.remove(new ConnectionName("a"));

        Listing<VolumeView> rest = volumes(first.nextToken(), 0);

        assertThat(rest.items()).extracting(VolumeView::handle).allMatch(handle -> handle.startsWith("v:c/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "a", "../a/pvc-1", "a/../b", "a/pvc 1", "v:a/pvc-1/\n", "zzz/"})
    void a_token_that_was_never_given_is_stale(String token) {
        fill();

        Failing.with(Failure.StalePageToken.class, () -> volumes(Optional.of(token), 0));
        Failing.with(
                Failure.StalePageToken.class,
                () -> snapshots(new ListSnapshots.Query(Optional.empty(), Optional.empty(), Optional.of(token), 0)));
    }

    @Test
    void a_connection_that_does_not_answer_fails_the_whole_list_by_its_name() {
        fill();
        controller.impatient(b);
        b.beforeEachCall(this::hang);

        assertThatThrownBy(() -> volumes(Optional.empty(), 0))
                .hasMessageContaining("FL-CON-003 connection b is not available");
    }

    @Test
    void a_connection_that_was_never_good_fails_the_whole_list_too() {
        fill();
        controller.connections.reject(new ConnectionName("broken"), List.of());

        assertThatThrownBy(() -> volumes(Optional.empty(), 0)).hasMessageContaining("FL-CON-002 connection broken");
    }

    @Test
    void without_connections_there_is_nothing_to_list() {
        try (ControllerFixture empty = ControllerFixture.proxy()) {
            assertThat(empty.useCases
                            .listVolumes()
                            .list(Optional.empty(), 0, TestWork.patient())
                            .items())
                    .isEmpty();
        }
    }

    @Test
    void snapshots_are_listed_all_or_of_one_volume_or_one() {
        controller.create("pvc-1", "a");
        controller.create("pvc-2", "a");
        SnapshotView one = take("snap-1", "v:a/pvc-1");
        SnapshotView two = take("snap-2", "v:a/pvc-2");

        assertThat(snapshots(query("", "")).items()).containsExactly(one, two);
        assertThat(snapshots(query("", "v:a/pvc-2")).items()).containsExactly(two);
        assertThat(snapshots(query(one.handle(), "")).items()).containsExactly(one);
        assertThat(snapshots(query(one.handle(), "v:a/pvc-2")).items()).isEmpty();
        assertThat(controller.useCases.getSnapshot().get(one.handle(), TestWork.patient()))
                .isEqualTo(one);
    }

    @Test
    void what_was_never_ours_is_an_empty_list_and_a_lost_connection_is_no_answer() {
        controller.create("pvc-1", "a");
        take("snap-1", "v:a/pvc-1");

        assertThat(snapshots(query("nonsense", "")).items()).isEmpty();
        assertThat(snapshots(query("s:a/missing", "")).items()).isEmpty();
        assertThat(snapshots(query("", "nonsense")).items()).isEmpty();
        assertThat(snapshots(query("", "v:a/missing")).items()).isEmpty();
        Failing.with(Failure.ConnectionUnknown.class, () -> snapshots(query("s:gone/pvc-1@snap-1", "")));
        Failing.with(Failure.ConnectionUnknown.class, () -> snapshots(query("", "v:gone/pvc-1")));
    }

    @Test
    void snapshots_come_in_pages() {
        controller.create("pvc-1", "a");
        controller.create("pvc-1", "c");
        List<SnapshotView> taken =
                List.of(take("snap-1", "v:a/pvc-1"), take("snap-2", "v:a/pvc-1"), take("snap-3", "v:c/pvc-1"));

        Listing<SnapshotView> first =
                snapshots(new ListSnapshots.Query(Optional.empty(), Optional.empty(), Optional.empty(), 2));
        Listing<SnapshotView> second =
                snapshots(new ListSnapshots.Query(Optional.empty(), Optional.empty(), first.nextToken(), 2));

        assertThat(first.items()).isEqualTo(taken.subList(0, 2));
        assertThat(second).isEqualTo(new Listing<>(taken.subList(2, 3), Optional.empty()));
    }

    /** Three on the first connection, none on the second, four on the last. */
    private List<String> fill() {
        List<String> handles = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            handles.add(controller.create("pvc-" + i, "a").handle());
        }
        for (int i = 1; i <= 4; i++) {
            handles.add(controller.create("pvc-" + i, "c").handle());
        }
        return handles;
    }

    private List<Listing<VolumeView>> pages(int size) {
        List<Listing<VolumeView>> pages = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            pages.add(volumes(token, size));
            token = pages.getLast().nextToken();
        } while (token.isPresent());
        return pages;
    }

    private Listing<VolumeView> volumes(Optional<String> token, int max) {
        return controller.useCases.listVolumes().list(token, max, TestWork.patient());
    }

    private Listing<SnapshotView> snapshots(ListSnapshots.Query query) {
        return controller.useCases.listSnapshots().list(query, TestWork.patient());
    }

    private static ListSnapshots.Query query(String snapshot, String source) {
        return new ListSnapshots.Query(
                Optional.of(snapshot).filter(it -> !it.isEmpty()),
                Optional.of(source).filter(it -> !it.isEmpty()),
                Optional.empty(),
                0);
    }

    private SnapshotView take(String name, String source) {
        return controller.useCases.takeSnapshot().take(new CsiName(name), source, Map.of(), TestWork.patient());
    }

    private void hang() {
        try {
            storageAnswers.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
