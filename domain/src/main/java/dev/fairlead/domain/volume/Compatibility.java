package dev.fairlead.domain.volume;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Excerpt;
import java.util.Optional;

/**
 * The one place that says whether a volume that exists is the one that is asked for.
 *
 * <p>A create call is repeated until it succeeds, so an equal request must find its volume; a different one under the
 * same name must not be given somebody else's data. Names, size, medium and content are compared wherever they are
 * known, and with a digest noted at birth everything else that shapes the volume. A volume that a peer made has no
 * digest, and perhaps no name or size.
 */
public final class Compatibility {
    private Compatibility() {}

    /** How the volume differs from what is asked for; empty where it serves. */
    public static Optional<String> difference(StoredVolume existing, CreateRequest asked, VolumeMedium.Kind askedKind) {
        return name(existing, asked.name())
                .or(() -> content(existing.content(), asked.content()))
                .or(() -> medium(existing.medium().kind(), askedKind))
                .or(() -> existing.capacity().flatMap(size -> size(size, asked.capacity())))
                .or(() -> shape(existing, asked));
    }

    /** Different names may lead to one id, where a short hash or a template that drops parts makes it. */
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

    /** A volume that has been expanded since is larger than was asked for, and only the limit speaks against that. */
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
