package dev.fairlead.adapter.freenas.client;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the calls of one connection to its TrueNAS box. It may be used by many threads; connections with the same
 * endpoint and credentials share one session behind it, of which no more than ten calls are under way at once.
 *
 * <p>What a caller gets:
 *
 * <ul>
 *   <li>an {@link ApiResult}: what the box said for good. A refusal is about the call's own object, and the caller
 *       decides what it means;
 *   <li>a {@code StorageException} for everything else. {@code BackendUnavailable}: the box did not answer, and surely
 *       did nothing, or the call only reads. {@code OutcomeUnknown}: a change was sent and its answer was not seen
 *       (cut, too late, or no answer of a box); it may have been done, or still be under way for minutes, or never
 *       begin. A box of 26 or later stops it when its socket is cut, which is done here when its time is up.
 *       {@code CredentialWrong}, {@code CredentialRevoked}, {@code RoleMissing}: the box does not let this user in, or
 *       not do this. {@code Unintelligible}: no box answered, but something else. {@code Unsupported}: this release has
 *       no such method. {@code BackendRejected}: the call names something outside the connection's parent datasets, and
 *       was not sent. {@code Cancelled}: the caller has gone.
 * </ul>
 *
 * <p>Each call ends within the smaller of what its caller has left and a bound of its own (a minute; for {@link #run},
 * which waits for a job, what its caller has left). A box that answers nothing costs each caller its own bound, and
 * callers of other boxes nothing. Reads are repeated while there is time; changes never, unless the box surely did not
 * see them.
 *
 * <p>A session that was cut is opened anew by the next call, after pauses that grow. The release is read at each
 * opening: between two calls it may be another one, so a caller asks for it at the beginning of each piece of work, and
 * repeats the whole after {@code BackendUnavailable} or {@code OutcomeUnknown}. A change is made only on a box that has
 * the release that its piece of work asked for last.
 */
public interface TruenasApi extends AutoCloseable {
    /** The most objects of a first page: so many snapshots with all their properties are {@link #PAGE_LENGTH}. */
    int PAGE = 500;

    /** The most characters of a later page, by the length of the objects before it: a quarter of the longest answer. */
    long PAGE_LENGTH = 1L << 22;

    /** The most objects of a later page. */
    int LONGEST_PAGE = 5000;

    /** Returns the connection's name, for failures. */
    String connection();

    /** Returns the name of the box: the same for all connections to it by one address. */
    String box();

    /** Returns the release of the box, as of the present session; opens one if there is none. */
    TruenasRelease release(Work work);

    /** Says whether the box's release has the method. */
    default boolean has(ApiMethod method, Work work) {
        return method.name(release(work)).isPresent();
    }

    /**
     * Makes a call that only reads.
     *
     * @throws IllegalArgumentException if the method changes something
     */
    ApiResult query(ApiCall call, Work work);

    /**
     * Finds objects by a query, and returns them; throws what {@link ApiResult#orThrow} does.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code Unintelligible} if the answer is no list of objects
     */
    List<JsonObject> list(ApiCollection collection, ApiQuery query, Work work);

    /**
     * Finds objects that have texts for ids and may be many, and returns them in the order of their ids. They are read
     * in pages, since an answer that is too long ends the session that others share. After the first page it is known
     * how long an object is, and a page has as many as fit. A page begins after the last id of the one before, so that
     * what is made or deleted meanwhile shifts no object out of the list.
     *
     * @throws dev.fairlead.domain.failure.StorageException what {@link #list} does; {@code BackendUnavailable} too if
     *     the box answers the same page again
     */
    default List<JsonObject> listInPages(ApiCollection collection, ApiQuery query, Work work) {
        return listInPages(collection, query, "id", work);
    }

    /** @param key the field that tells them apart, by which they are read in order */
    default List<JsonObject> listInPages(ApiCollection collection, ApiQuery query, String key, Work work) {
        Map<String, JsonObject> found = new LinkedHashMap<>();
        ApiQuery next = query;
        int size = PAGE;
        while (true) {
            List<JsonObject> page = list(collection, next.orderBy(key).page(0, size), work);
            int before = found.size();
            for (JsonObject row : page) {
                Json.text(row, key).ifPresent(id -> found.putIfAbsent(id, row));
            }
            if (page.size() < size) {
                return List.copyOf(found.values());
            }
            String last = Json.text(page.getLast(), key).orElse("");
            if (found.size() == before || last.isEmpty()) {
                throw new StorageException(new Failure.BackendUnavailable(
                        connection(), "a query for " + collection + " beyond its first " + before + " has no end"));
            }
            next = query.where(key, ">", new JsonPrimitive(last));
            size = fitting(page);
        }
    }

    private static int fitting(List<JsonObject> page) {
        long length = page.stream().mapToLong(row -> row.toString().length()).sum();
        return Math.clamp(PAGE_LENGTH * page.size() / length, 1, LONGEST_PAGE);
    }

    /**
     * Reads one object; empty if there is none of this id.
     *
     * @throws dev.fairlead.domain.failure.StorageException for every other refusal
     */
    Optional<JsonObject> find(ApiCollection collection, String id, Work work);

    /** Reads one object that has a number. */
    Optional<JsonObject> find(ApiCollection collection, long id, Work work);

    /**
     * Makes a call that changes something, by one effect of the work: its kind is {@link ApiMethod#word}. It is sent
     * once.
     *
     * @param target the object that is changed, for the log
     */
    ApiResult change(ApiCall call, String target, Work work);

    /**
     * Makes a call that the box does as a job, by one effect, and waits for the job's end within the effect: by the
     * box's events, and by asking now and then. The job's progress is told to the work. A job that failed is a refusal
     * with the job's own errno and words. A call that this release does without a job returns its result as it is.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code OutcomeUnknown} if the caller's time is up first, and
     *     the job goes on; or if the box restarted meanwhile, and has forgotten the job
     */
    ApiResult run(ApiCall call, String target, Work work);

    /** Begins a job by one effect, without waiting; a refusal of the call itself is thrown. */
    ApiJob start(ApiCall call, String target, Work work);

    /**
     * Waits for the end of a job that was begun before, perhaps by another process.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code OutcomeUnknown} if the box knows no such job, which
     *     it forgets when it restarts
     */
    ApiResult await(ApiJob job, Work work);

    /** Lets go of the session; the last connection that uses it closes it, after its calls have ended. */
    @Override
    void close();
}
