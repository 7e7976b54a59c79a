# The programs of DoseTap by their places below a prefix. A person or the system starts those in bin, and only dosetap
# starts those in libexec.
programs=(
    bin/dosetap
    bin/dosetapd
    libexec/dosetap/dosetap-simulate
    libexec/dosetap/dosetap-exchange
    libexec/dosetap/dosetap-web
)
