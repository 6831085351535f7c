! REQUIRES: flang
! RUN: mkdir -p %t.modules && %build-f90
! RUN: %on1 | grep -x ' ok'
! RUN: %on2 | grep -x ' ok'
! RUN: env OMPDSM_STATS_FILE=%t.json %on3 | grep -x ' ok'
! RUN: %python -c "import json; n = json.load(open('%t.json'))['nodes']; f = sum(x['bytes_fetched'] for x in n); assert 0 < f < 40e6, f"
! RUN: %build-f90 -O0
! RUN: %on3 | grep -x ' ok'
! Automatic arrays, of sizes that are dummy arguments, are where their parts can move to who writes them,
! and end with their procedure: also where it returns early or calls itself.
program automatic
  implicit none
  integer :: round
  do round = 1, 3
    if (sweeps(200000, round) /= 200000d0 * (round + 30)) error stop 'sweeps'
    if (sweeps(-5, round) /= 0) error stop 'an empty one'
    if (planes(300, 200) /= 300 * 200 * 11d0) error stop 'planes'
    if (nested(6, 20000) /= 20000 * 21d0) error stop 'nested ones'
  end do
  print '(a)', ' ok'
contains
  real(8) function sweeps(n, start)
    integer, intent(in) :: n, start
    real(8) :: a(n)
    integer :: i, t
    sweeps = 0
    if (n <= 0) return
    a = start
    do t = 1, 30
      !$omp parallel do
      do i = 1, n
        a(i) = a(i) + 1
      end do
    end do
    sweeps = sum(a)
  end function
  real(8) function planes(n, m)
    integer, intent(in) :: n, m
    real(8) :: a(n, m), b(m, n)
    integer :: i, k, t
    !$omp parallel do
    do k = 1, m
      a(:, k) = 1
    end do
    do t = 1, 5
      !$omp parallel do
      do i = 1, n
        do k = 1, m
          b(k, i) = a(i, k) + 1
        end do
      end do
      !$omp parallel do
      do k = 1, m
        a(:, k) = b(k, :) + 1
      end do
    end do
    planes = sum(a)
  end function
  recursive real(8) function nested(depth, n) result(total)
    integer, intent(in) :: depth, n
    real(8) :: a(n)
    integer :: i
    total = 0
    if (depth == 0) return
    !$omp parallel do
    do i = 1, n
      a(i) = depth
    end do
    total = nested(depth - 1, n) + sum(a)
  end function
end program
