package dev.fairlead.lab.soak.record;

/**
 * The shell script of a pod: it prints every record that is there, then writes on from the last whole one, some at a
 * time, and says which of them it was told are kept.
 *
 * <p>It needs {@code name}, {@code seed} and {@code first} (yes for the first pod of a volume). Beside {@code dd},
 * {@code df} and {@code sleep}, one each for some records, it starts no program, since that is slow on a kernel that is
 * itself a process. {@code dd} is the coreutils' one, which syncs the file and fails if it cannot.
 */
public final class WriterScript {
    /** The number of records that are written and synced at once. */
    public static final int BATCH = 5;

    /** The script; {@link WriterLog} reads what it prints. */
    public static final String TEXT = """
            set -f
            n=0
            look() {
              printf 'found %s\\n' "$1"
              text=$1
              set -- $1
              case ${1:-none} in *[!0-9]* | ?????????????*) return 0 ;; esac
              [ "$text" = "$1 $name $((($1 * 2654435761 + seed) % 4294967296))" ] && n=$1
              return 0
            }
            if [ "$first" = no ] || [ -s /data/records ]; then
              until cat /data/records >/tmp/found; do echo 'cannot read'; sleep 5; done
              rest=
              while IFS= read -r rest; do look "$rest"; done </tmp/found
              [ -z "$rest" ] || look "$rest"
            fi
            echo whole
            df -P -k /data
            end='
            '
            before=$end
            batches=0
            while :; do
              text=$before
              i=$n
              while [ "$i" -lt $((n + 5)) ]; do
                i=$((i + 1))
                text=$text$i' '$name' '$(((i * 2654435761 + seed) % 4294967296))$end
              done
              if printf '%s' "$text" | dd of=/data/records bs=64k oflag=append conv=notrunc,fsync status=none; then
                n=$i
                before=
                echo "kept $n"
              else
                before=$end
                echo 'not kept'
              fi
              df -P -k /data
              batches=$((batches + 1))
              if [ "$batches" -lt 6 ]; then sleep 3; else sleep 20; fi
            done
            """;

    private WriterScript() {}
}
