package dev.fairlead.application.port.out.export.block;

import dev.fairlead.domain.volume.Notes;
import java.util.regex.Pattern;

/**
 * Describes the form of the whole name of a target: a base that names its owner, a colon, and the name that is the
 * volume's own.
 *
 * <p>An IQN has the characters of RFC 3722 and a dot in its domain, since rtslib accepts no other; an NQN has only
 * characters that need no escaping in a configfs path.
 */
public enum NameForm {
    IQN("iqn", "iscsi", Notes.ISCSI_TARGET, "[a-z0-9.:-]", 2, "iqn.2003-01.org.example.nas"),
    NQN("nqn", "nvmeof", Notes.NVMEOF_SUBSYSTEM, "[a-z0-9._:-]", 1, "nqn.2003-01.org.example.nas");

    /** The longest name that both protocols allow, in bytes. */
    static final int MAX_BYTES = 223;

    private final String block;
    private final String note;
    private final String allowed;
    private final Pattern ownPart;
    private final Pattern base;
    private final String example;

    NameForm(String type, String block, String note, String allowed, int labels, String example) {
        this.block = block;
        this.note = note;
        this.allowed = allowed;
        this.ownPart = Pattern.compile("[a-z0-9]" + allowed + "*");
        this.base = Pattern.compile(
                type + "\\.[0-9]{4}-(0[1-9]|1[0-2])(\\.[a-z0-9-]+){" + labels + ",}(:" + allowed + "+)?");
        this.example = example;
    }

    /** Returns the name of the connection file's block. */
    public String block() {
        return block;
    }

    /** Returns the key of the note that keeps a volume's own part of the name. */
    public String note() {
        return note;
    }

    /** Returns an example of a base, for the text that says how to solve a problem. */
    public String example() {
        return example;
    }

    String allowed() {
        return allowed;
    }

    /**
     * Returns the text if it can be the base of names.
     *
     * @throws IllegalArgumentException if no name could begin with it
     */
    public String base(String text) {
        if (!base.matcher(text).matches() || text.length() > MAX_BYTES / 2) {
            throw new IllegalArgumentException("'" + text + "' is no base of an " + name()
                    + ": the month in which its domain was registered, and that domain reversed, in lower case");
        }
        return text;
    }

    boolean isOwnPart(String text) {
        return ownPart.matcher(text).matches();
    }
}
