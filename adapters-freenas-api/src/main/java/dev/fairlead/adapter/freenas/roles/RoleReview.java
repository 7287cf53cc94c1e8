package dev.fairlead.adapter.freenas.roles;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.service.BoxService;
import dev.fairlead.application.port.out.AccessReview;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Reads the roles of a connection's user from its box, and names those that are missing. Boxes before 25.04 have none
 * for keys: whoever has one may do everything.
 */
public final class RoleReview implements AccessReview {
    private static final String READ = "_READ";
    private static final String WRITE = "_WRITE";
    private static final String ALL = "FULL_ADMIN";

    /** The role that has all others that read. */
    private static final String READER = "READONLY_ADMIN";

    private final TruenasApi api;
    private final Set<RoleUse> uses;
    private final Optional<BoxService> service;

    public RoleReview(TruenasApi api, Set<RoleUse> uses) {
        this(api, uses, Optional.empty());
    }

    /** @param service what volumes are exported by */
    public RoleReview(TruenasApi api, Set<RoleUse> uses, BoxService service) {
        this(api, uses, Optional.of(service));
    }

    private RoleReview(TruenasApi api, Set<RoleUse> uses, Optional<BoxService> service) {
        Set<RoleUse> all = EnumSet.copyOf(uses);
        if (service.isPresent()) {
            all.add(RoleUse.SERVICES);
        }
        this.api = api;
        this.uses = Set.copyOf(all);
        this.service = service;
    }

    @Override
    public Findings review(Work work) {
        TruenasRelease release = api.release(work);
        if (release.isCore() || !release.isAtLeast(25, 4)) {
            return new Findings(release.shown() + ", which has no roles for keys", List.of(), troubles(work));
        }
        JsonElement answer = api.query(ApiCall.of(ApiAction.AUTH_ME), work).orThrow();
        JsonObject user = answer.isJsonObject() ? answer.getAsJsonObject() : new JsonObject();
        Set<String> had = roles(user);
        Set<String> needed = roles(release, use -> !use.isOptional()).keySet();
        List<RoleGrant> rights = new ArrayList<>();
        roles(release, _ -> true)
                .forEach((role, purposes) ->
                        rights.add(new RoleGrant(role, purposes, isIn(had, role), !needed.contains(role))));
        return new Findings(
                release.shown() + " as user " + Json.text(user, "pw_name").orElse("of an unknown name"),
                rights,
                troubles(work));
    }

    /** Returns what is wrong with the service; nothing, if the user may not ask, as the roles tell then. */
    private List<String> troubles(Work work) {
        try {
            return service.flatMap(it -> it.trouble(api, work)).stream().toList();
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.RoleMissing) {
                return List.of();
            }
            throw e;
        }
    }

    /** Returns roles with what each is for. */
    private Map<String, String> roles(TruenasRelease release, Predicate<RoleUse> which) {
        return uses.stream()
                .filter(which)
                .sorted()
                .flatMap(use -> use.roles(release).stream().map(role -> Map.entry(role, use.purpose())))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one + ", " + other, TreeMap::new));
    }

    /** Returns the roles that a box tells, which writes a set as an object. */
    private static Set<String> roles(JsonObject user) {
        JsonObject privilege = Json.child(user, "privilege");
        Set<String> roles = new HashSet<>(Json.texts(privilege, "roles"));
        roles.addAll(Json.texts(Json.child(privilege, "roles"), "$set"));
        return roles;
    }

    private static boolean isIn(Set<String> had, String role) {
        boolean reads = role.endsWith(READ);
        return had.contains(ALL)
                || had.contains(role)
                || (reads && had.contains(READER))
                || (reads && had.contains(role.substring(0, role.length() - READ.length()) + WRITE));
    }

    /** Returns the commands for a shell of the box, with all roles that are needed: an update replaces the list. */
    @Override
    public List<String> remedies(Collection<String> rights) {
        String all = rights.stream()
                .map(right -> new JsonPrimitive(right).toString())
                .collect(Collectors.joining(", ", "[", "]"));
        return List.of(
                "in the web interface: Credentials > Groups > Privileges > Add; give the user's group these roles",
                "or in a shell of the box, GID being the number of a group of the user:",
                "  midclt call privilege.create '{\"name\": \"fairlead\", \"local_groups\": [GID], \"ds_groups\": [],"
                        + " \"web_shell\": false, \"roles\": " + all + "}'",
                "or, if the group has a privilege already, ID being its number in privilege.query (roles that it has for"
                        + " something else have to be listed too):",
                "  midclt call privilege.update ID '{\"roles\": " + all + "}'");
    }
}
