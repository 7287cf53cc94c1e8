package dev.fairlead.application.port.out.export.block;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.template.Template;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Gives volumes the names of their targets: {@code namePrefix}, {@code nameTemplate} or the volume's id, and
 * {@code nameSuffix}, in lower case, as democratic-csi does.
 *
 * <p>A template sees the request, which is there only once; so the name is made at the volume's birth and noted, and
 * what was noted stays, whatever becomes of the settings.
 */
public final class TargetNaming {
    private final NameForm form;
    private final String base;
    private final Optional<Template> template;
    private final String prefix;
    private final String suffix;
    private final String note;
    private final int longest;

    private TargetNaming(
            NameForm form,
            String note,
            String base,
            Optional<Template> template,
            String prefix,
            String suffix,
            int longest) {
        this.form = form;
        this.note = note;
        this.base = base;
        this.template = template;
        this.prefix = prefix;
        this.suffix = suffix;
        this.longest = longest;
    }

    /**
     * @param block the {@code iscsi} or {@code nvmeof} block of a connection's file
     * @param base what {@link NameForm#base} has let pass
     */
    public static TargetNaming read(ConfigNode block, NameForm form, String base) {
        Optional<Template> template = block.optional(
                "nameTemplate", TargetNaming::template, "a text, or a template such as '{{ parameters.[key] }}'");
        return new TargetNaming(
                form,
                form.note(),
                base,
                template.filter(text -> !text.source().isEmpty()),
                affix(block, "namePrefix", form),
                affix(block, "nameSuffix", form),
                NameForm.MAX_BYTES);
    }

    /** Returns the same names, kept by another note: democratic-csi has one for each kind of storage. */
    public TargetNaming notedAs(String key) {
        return new TargetNaming(form, key, base, template, prefix, suffix, longest);
    }

    /**
     * Returns the same names, of which those that would be longer than this many characters without their base end in a
     * digest instead.
     */
    public TargetNaming shortenedTo(int characters) {
        return new TargetNaming(form, note, base, template, prefix, suffix, characters);
    }

    private static Template template(String text) {
        return Template.parse(text);
    }

    private static String affix(ConfigNode block, String key, NameForm form) {
        return block.optional(
                        key,
                        text -> {
                            String lower = text.toLowerCase(Locale.ROOT);
                            if (!lower.isEmpty() && !lower.matches(form.allowed() + "{1,100}")) {
                                throw new IllegalArgumentException("has what no " + form + " may have, or is too long");
                            }
                            return lower;
                        },
                        "expected: letters, digits, '-', '.', ':'")
                .orElse("");
    }

    /**
     * Returns the name for a volume that is about to be made.
     *
     * @throws StorageException {@code InvalidRequest} if it would be no name
     */
    public TargetName planned(Birth birth) {
        String own = template.map(text -> text.render(Map.of(
                        "name",
                        birth.request().name().value(),
                        "parameters",
                        birth.request().parameters())))
                .orElse(birth.id().value());
        String name = whole(own);
        return legal(name)
                .orElseThrow(() -> new StorageException(new Failure.InvalidRequest(
                        template.isPresent() ? "parameters" : "name",
                        "would name the volume's target " + Excerpt.of(name) + " (expected: characters "
                                + form.allowed() + ", with its base at most " + NameForm.MAX_BYTES
                                + " bytes); give the connection another " + form.block()
                                + ".nameTemplate or another id template")));
    }

    /**
     * Returns the name that the volume's target has: the one that was noted, or the usual one of a volume without a
     * note.
     */
    public Optional<TargetName> of(StoredVolume volume) {
        String noted = volume.notes().get(note);
        return noted == null ? of(volume.id()) : legal(noted);
    }

    /**
     * Returns the name that the target of a volume without notes is likely to have; a name that a template gave cannot
     * be told.
     */
    public Optional<TargetName> of(NativeId id) {
        return legal(whole(id.value()));
    }

    /** Returns the name of the target that is to go; its volume may have gone before it. */
    public Optional<TargetName> of(NativeId id, Optional<StoredVolume> volume) {
        return volume.map(this::of).orElseGet(() -> of(id));
    }

    /** Returns the key of the note that keeps a name. */
    public String noteKey() {
        return note;
    }

    /** Returns the note that keeps a name. */
    public Map<String, String> note(TargetName name) {
        return Map.of(note, name.value());
    }

    /** Returns what the name of every target begins with, before a colon. */
    public String base() {
        return base;
    }

    /** Returns the name of the target. */
    public String target(TargetName name) {
        return base + ":" + name;
    }

    private String whole(String own) {
        return Digests.shortened((prefix + own + suffix).toLowerCase(Locale.ROOT), longest);
    }

    private Optional<TargetName> legal(String name) {
        boolean fits = base.length() + 1 + name.length() <= NameForm.MAX_BYTES; // nothing but ASCII gets further
        return fits && form.isOwnPart(name) ? Optional.of(new TargetName(name)) : Optional.empty();
    }
}
