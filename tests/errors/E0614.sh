# The balance is below what is taken; the message has both numbers.
cd "$2" || exit 3
cat >account.adz <<'E'
entry fn take_out(balance: i64, sum: i64) -> i64 {
    assert(sum > 0, "nothing is taken: ", sum);
    assert(sum <= balance, "there is ", balance, ", not ", sum);
    balance - sum
}
E
"$1" run account.adz 'take_out(10, 12)'
#! error E0614 3:5
