package dev.fairlead.domain.volume;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Excerpt;
import java.util.Optional;

/**
 * Decides, alone for all callers, whether an existing volume is the one that is asked for.
 *
 * <p>A create call is repeated until it succeeds, so an equal request must find its volume; a different one under the
 * same name must not be given somebody else's data. Names, size, medium and content are compared if they are known;
 * everything else that shapes the volume is compared by a digest that was noted when it was created. A volume that a
 * peer made has no digest, and perhaps no name or size.
 */
public final class Compatibility {
    private Compatibility() {}

    /** Returns how the volume differs from what is asked for; empty if it is the one that is asked for. */
    public static Optional<String> difference(StoredVolume existing, CreateRequest asked, VolumeMedium.Kind askedKind) {
        return name(existing, asked.name())
                .or(() -> content(existing.content(), asked.content()))
                .or(() -> medium(existing.medium().kind(), askedKind))
                .or(() -> existing.capacity().flatMap(size -> size(size, asked.capacity())))
                .or(() -> shape(existing, asked));
    }

    /** Compares the names, since a short hash, or a template that drops parts of a name, may give two names one id. */
    private static Optional<String> name(StoredVolume existing, CsiName asked) {
        return existing.name()
                .filter(name -> !name.equals(asked))
                .map(name -> "it was made under the name " + Excerpt.of(name.value()) + ", not "
                        + Excerpt.of(asked.value())
                        + "; the connection's idTemplate or idHash gives both the same id");
    }

    private static Optional<String> content(Content existing, Content asked) {
        return existing.equals(asked)
                ? Optional.empty()
                : Optional.of("it was made " + words(existing) + ", asked for is one made " + words(asked));
    }

    private static String words(Content content) {
        return switch (content) {
            case Content.Empty() -> "empty";
            case Content.OfSnapshot(NativeId id) -> "from snapshot " + id;
            case Content.OfVolume(NativeId id) -> "from volume " + id;
            case Content.Transferred(Content.Kind kind, String handle) ->
                (kind == Content.Kind.SNAPSHOT ? "from snapshot " : "from volume ") + handle + " of another connection";
        };
    }

    private static Optional<String> medium(VolumeMedium.Kind existing, VolumeMedium.Kind asked) {
        return existing == asked
                ? Optional.empty()
                : Optional.of("it is a " + words(existing) + ", asked for is a " + words(asked));
    }

    private static String words(VolumeMedium.Kind kind) {
        return switch (kind) {
            case FILESYSTEM -> "file system";
            case BLOCK_DEVICE -> "block device";
        };
    }

    /**
     * Compares the sizes. A volume that has been expanded since is larger than was asked for, which only the limit
     * forbids.
     */
    private static Optional<String> size(Capacity existing, CapacityRange asked) {
        if (asked.exceededBy(existing)) {
            return Optional.of("its size is " + existing + ", over the limit of "
                    + asked.limit().orElseThrow());
        }
        return asked.fits(existing)
                ? Optional.empty()
                : Optional.of("its size is " + existing + ", under the required "
                        + asked.required().orElseThrow());
    }

    private static Optional<String> shape(StoredVolume existing, CreateRequest asked) {
        ShapeDigest now = ShapeDigest.of(asked);
        return Optional.ofNullable(existing.notes().get(Notes.DIGEST))
                .map(ShapeDigest::new)
                .filter(noted -> noted.comparableWith(now) && !noted.equals(now))
                .map(_ -> "it was made with other StorageClass parameters, access type or file system type");
    }
}
