# The programs of DoseTap by their places below a prefix: bin has what a person or the system starts, libexec what only
# dosetap starts.
programs=(
    bin/dosetap
    bin/dosetapd
    libexec/dosetap/dosetap-simulate
    libexec/dosetap/dosetap-exchange
    libexec/dosetap/dosetap-web
)
