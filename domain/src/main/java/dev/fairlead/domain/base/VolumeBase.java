package dev.fairlead.domain.base;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Excerpt;
import java.util.Optional;

/**
 * Says which base folder a volume is in.
 *
 * @param installation the CSI names of the installation, with commas between them
 * @param pool the name of the pool; empty if the base is none, or it is not known which
 * @param levels how many folders lie between the base and the volume's own: one, or none
 */
public record VolumeBase(String installation, ConnectionName connection, Optional<String> pool, int levels) {
    /**
     * Returns whose another base folder is, if a mark says so; empty if the mark may be of this one. Only a mark of the
     * same installation can say so, and one that does not name its pool contradicts no pool.
     */
    public Optional<String> contradictedBy(BaseMark mark) {
        if (!mark.isOf(installation) || mark.connection().isEmpty()) {
            return Optional.empty();
        }
        boolean sameConnection = mark.connection().equals(connection.value());
        boolean samePool = mark.pool().isEmpty() || pool.orElse(mark.pool()).equals(mark.pool());
        if (sameConnection && samePool) {
            return Optional.empty();
        }
        String its = "connection " + Excerpt.of(mark.connection());
        return Optional.of(mark.pool().isEmpty() ? its : "pool " + Excerpt.of(mark.pool()) + " of " + its);
    }

    @Override
    public String toString() {
        String its = "connection '" + connection + "'";
        return pool.map(name -> "pool " + Excerpt.of(name) + " of " + its).orElse(its);
    }
}
