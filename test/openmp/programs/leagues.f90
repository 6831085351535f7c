! REQUIRES: flang
! RUN: mkdir -p %t.modules && %build-f90
! RUN: %on1 | grep -x ' ok'
! RUN: %on2 | grep -x ' ok'
! RUN: %on3 | grep -x ' ok'
! RUN: %full %on4 | grep -x ' ok'
! Leagues of teams as flang compiles them: distribute parallel do as one loop of teams and threads,
! exactly as many teams as the clause says, reductions over teams, regions in teams.
program leagues
  use omp_lib
  implicit none
  integer, parameter :: n = 2000
  integer :: i, k, failures = 0, threads = 0, teams, members
  integer :: hits(n), team_of(n), seen(0:299)
  real(8) :: total
  real(8), allocatable :: grid(:, :)

  hits = 0
  !$omp target teams distribute parallel do map(tofrom: hits)
  do i = 1, n
    hits(i) = hits(i) + 1
  end do
  !$omp target teams distribute parallel do num_teams(2) map(tofrom: hits)
  do i = 1, n
    hits(i) = hits(i) + 1
  end do
  !$omp target teams distribute parallel do num_teams(100) map(tofrom: hits)
  do i = n, 1, -1
    hits(i) = hits(i) + 1
  end do
  !$omp teams distribute num_teams(5)
  do i = 1, n / 10
    !$omp parallel do
    do k = 10 * i - 9, 10 * i
      hits(k) = hits(k) + 1
    end do
  end do
  if (any(hits /= 4)) call fail('every iteration once')

  total = 0
  !$omp target teams distribute parallel do reduction(+: total) map(tofrom: total)
  do i = 1, n
    total = total + i
  end do
  if (total /= n * (n + 1) / 2) call fail('a sum')
  total = 0
  !$omp target teams distribute parallel do num_teams(7) reduction(+: total) map(tofrom: total)
  do i = 1, n
    total = total + i
  end do
  if (total /= n * (n + 1) / 2) call fail('a sum over teams')

  allocate (grid(50, 40))
  !$omp target teams distribute parallel do collapse(2) map(from: grid)
  do k = 1, 40
    do i = 1, 50
      grid(i, k) = i * k
    end do
  end do
  if (sum(grid) /= 1275d0 * 820d0) call fail('collapsed loops')

  seen = 0
  teams = 0
  members = 0
  !$omp teams num_teams(20) reduction(+: members)
  seen(omp_get_team_num()) = seen(omp_get_team_num()) + 1
  if (omp_get_team_num() == 0) teams = omp_get_num_teams()
  !$omp parallel reduction(+: members)
  members = members + 1
  !$omp end parallel
  !$omp end teams
  if (any(seen(0:teams - 1) /= 1) .or. any(seen(teams:) /= 0)) call fail('each team once')
  if (members < teams) call fail('threads of teams')

  !$omp teams
  !$omp parallel
  !$omp single
  threads = omp_get_num_threads()
  !$omp end single
  !$omp end parallel
  !$omp end teams
  if (threads < 1) call fail('threads of one team')
  if (failures == 0) print '(a)', ' ok'
contains
  subroutine fail(what)
    character(*), intent(in) :: what
    failures = failures + 1
    print '(2a)', 'wrong: ', what
  end subroutine
end program
