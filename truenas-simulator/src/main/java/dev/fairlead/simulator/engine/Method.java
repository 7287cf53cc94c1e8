package dev.fairlead.simulator.engine;

import dev.fairlead.simulator.profile.Profile;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Describes one method of the API.
 *
 * @param roles one of which the caller has; none means any caller who is logged in
 * @param parameters the names of its arguments in order
 * @param open whether it is called before the login
 * @param lock for a job: what it may not share at the same time with another; nothing for a method that is no job
 * @param offered whether a box offers it at a path of some release
 */
public record Method(
        String name,
        Set<String> roles,
        List<String> parameters,
        boolean open,
        Optional<Function<Call, String>> lock,
        BiPredicate<Profile, Profile> offered,
        Handler handler) {
    /** Makes a method of all releases that is no job. */
    public static Method of(String name, Handler handler) {
        return new Method(name, Set.of(), List.of(), false, Optional.empty(), (box, api) -> true, handler);
    }

    /** Sets the roles one of which a caller needs. */
    public Method roles(String... any) {
        return new Method(name, Set.of(any), parameters, open, lock, offered, handler);
    }

    /** Names its arguments. */
    public Method takes(String... names) {
        return new Method(name, roles, List.of(names), open, lock, offered, handler);
    }

    /** Makes it callable before the login. */
    public Method forAnybody() {
        return new Method(name, roles, parameters, true, lock, offered, handler);
    }

    /** Makes it a job that shares nothing. */
    public Method asJob() {
        return asJob(call -> "");
    }

    /** Makes it a job, with what it locks. */
    public Method asJob(Function<Call, String> locks) {
        return new Method(name, roles, parameters, open, Optional.of(locks), offered, handler);
    }

    /** Offers it from a release on, also at older paths of a box that has it only if they had it. */
    public Method since(Profile first) {
        return when((box, api) -> api.since(first));
    }

    /** Offers it only on boxes before a release. */
    public Method until(Profile removed) {
        return when((box, api) -> box.before(removed));
    }

    /** Offers it where this holds besides what held already. */
    public Method when(BiPredicate<Profile, Profile> condition) {
        return new Method(name, roles, parameters, open, lock, offered.and(condition), handler);
    }
}
